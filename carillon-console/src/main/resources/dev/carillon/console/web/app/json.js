// JSON that somebody types: read with errors that land at their field, written so that people can read it.
import { ApiError } from "./api.js";
import { parseExact } from "./exact-json.js";

/** Reads an object from a field; what is no object is refused as the server would refuse it. */
export function readObject(text, pointer) {
  let value;
  try {
    value = parseExact(text);
  } catch (mistake) {
    throw refused(pointer, `this is no JSON: ${mistake.message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw refused(pointer, 'this must be a JSON object, such as {"day": "2026-11-16"}');
  return value;
}

/** Writes a value over several lines. */
export const writeJson = (value) => JSON.stringify(value, null, 2);

const refused = (pointer, message) => new ApiError(422, { detail: message, errors: [{ pointer, message }] });
