// What time it is by the server's clock: a browser's own may be wrong, and then late would be early.
const NOTICED = 5_000; // less may be the way of an answer, and dates of answers are whole seconds

let offset = 0;

/** Takes the date of an answer that was asked for at `asked`, by the browser's clock. */
export function heardDate(date, asked) {
  const said = Date.parse(date ?? "");
  if (Number.isNaN(said)) return;
  const received = Date.now();
  const off = said + 500 - (asked + received) / 2;
  offset = Math.abs(off) < NOTICED + (received - asked) / 2 ? 0 : off;
}

/** Returns the milliseconds of now. */
export const serverNow = () => Date.now() + offset;

/** Returns how many milliseconds the browser's clock is behind the server's; 0 if that does not matter. */
export const clockOffset = () => offset;
