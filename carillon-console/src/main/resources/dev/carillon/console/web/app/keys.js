// Keys that work everywhere but in fields. `?` lists them.
const bound = new Map();
let prefix = "";
let timer;

/** Binds a key, or two in a row such as "g r"; `says` is what the list of keys shows. */
export function bind(key, says, work) {
  bound.set(key, { says, work });
}

/** Returns all keys with what they do. */
export const boundKeys = () => [...bound].map(([key, { says }]) => ({ key, says }));

const isField = (element) => element?.closest?.("input, textarea, select, [contenteditable]");

addEventListener("keydown", (event) => {
  const palette = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k";
  if (palette) {
    event.preventDefault();
    bound.get("/")?.work(event);
    return;
  }
  if (
    event.defaultPrevented ||
    event.metaKey ||
    event.ctrlKey ||
    event.altKey ||
    isField(event.target) ||
    document.querySelector("dialog[open]")
  )
    return;
  const pair = prefix ? `${prefix} ${event.key}` : "";
  const found = bound.get(pair) ?? bound.get(event.key);
  clearTimeout(timer);
  prefix = "";
  if (found) {
    event.preventDefault();
    found.work(event);
  } else if ([...bound.keys()].some((key) => key.startsWith(event.key + " "))) {
    prefix = event.key;
    timer = setTimeout(() => (prefix = ""), 1500);
  }
});
