// JSON whose payloads keep every digit: a number of 64 bits is more than the numbers of browsers hold.
const LONG = /\d{16}/;
const EXACT = ["payload", "expandedPayload", "from", "to"]; // the last two are what a version changed
const lossy = (source, value) =>
  source !== undefined && source.replace(/\D/g, "").length > 15 && String(value) !== source;

/** Reads JSON; numbers that would lose digits are kept as they are written. */
export const parseExact = (text) =>
  LONG.test(text) && JSON.rawJSON
    ? JSON.parse(text, (name, value, context) =>
        typeof value === "number" && lossy(context?.source, value) ? JSON.rawJSON(context.source) : value,
      )
    : JSON.parse(text);

/** Reads an answer of the server: plain numbers everywhere, but all digits within payloads. */
export function parseAnswer(text) {
  const value = JSON.parse(text);
  return LONG.test(text) ? graft(value, parseExact(text)) : value;
}

function graft(value, exact) {
  if (value === null || typeof value !== "object") return value;
  for (const name of Object.keys(value))
    value[name] = EXACT.includes(name) ? exact[name] : graft(value[name], exact[name]);
  return value;
}
