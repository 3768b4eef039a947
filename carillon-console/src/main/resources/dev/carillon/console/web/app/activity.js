// Whether somebody is there: what a page asks by itself must not keep its session alive.
const STILL_THERE = 5 * 60_000;
let last = Date.now();

for (const sign of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  addEventListener(sign, () => (last = Date.now()), { capture: true, passive: true });
}

/** Returns the header that marks a request as the console's own, and tells whether somebody is there. */
export const consoleHeader = () => ({ "X-Carillon-Console": Date.now() - last < STILL_THERE ? "1" : "idle" });
