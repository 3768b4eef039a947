// The REST API. Every refusal becomes an ApiError with the server's words and the fields they are about.
import { consoleHeader } from "./activity.js";
import { apiUrl } from "./address.js";
import { heardDate } from "./clock.js";
import { parseAnswer } from "./exact-json.js";

/** Why the server refused a request. */
export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `The server answered ${status}.`);
    this.status = status;
    this.code = problem.code || "";
    this.errors = problem.errors || [];
  }

  /** Returns what is wrong with the field at a JSON pointer such as "/reason"; empty if nothing is. */
  at(pointer) {
    return this.errors
      .filter((error) => (error.pointer ?? "/" + error.parameter) === pointer)
      .map((error) => error.message)
      .join("; ");
  }

  /** Returns what is wrong as a whole: everything but the mistakes in `fields`, which are shown at their places. */
  besides(fields) {
    const rest = this.errors
      .filter((error) => !fields.includes(error.pointer ?? "/" + error.parameter))
      .map((error) => error.message);
    return rest.length || !this.errors.length
      ? [...new Set([...(this.errors.length ? [] : [this.message]), ...rest])].join("; ")
      : "";
  }
}

/** Is told when the server knows the session no more. */
export const refusals = new EventTarget();

async function send(method, path, { query, body, signal, headers = {} } = {}) {
  const all = { Accept: "application/json", ...consoleHeader(), ...headers };
  if (body !== undefined)
    all["Content-Type"] = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  let answer;
  const asked = Date.now();
  try {
    answer = await fetch(apiUrl(path, query), {
      method,
      headers: all,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new ApiError(0, { detail: "The server does not answer. It may be restarting; try again in a moment." });
  }
  heardDate(answer.headers.get("Date"), asked);
  const text = await answer.text();
  const value = text ? parsed(text) : undefined;
  if (answer.ok) return value;
  if (answer.status === 401 && path !== "session") refusals.dispatchEvent(new Event("signed-out"));
  throw new ApiError(answer.status, value ?? {});
}

function parsed(text) {
  try {
    return parseAnswer(text);
  } catch {
    return undefined;
  }
}

/* Browsers read . and .. as folders, however they are written. */
function part(value) {
  if (value === "." || value === "..")
    throw new ApiError(422, {
      detail: `Nothing that is called '${value}' can be reached by a browser; choose another name.`,
    });
  return encodeURIComponent(value);
}

export const api = {
  get: (path, options) => send("GET", path, options),
  /** Posts with an Idempotency-Key: one call has one effect, even if it is sent again after its answer got lost. */
  async post(path, body = {}, { key = crypto.randomUUID?.() ?? String(Math.random()).slice(2), ...options } = {}) {
    const request = { ...options, body, headers: { ...options.headers, "Idempotency-Key": key } };
    try {
      return await send("POST", path, request);
    } catch (failure) {
      if (failure.status !== 0 && failure.status !== 503) throw failure;
      return send("POST", path, request);
    }
  },
  put: (path, body, options) => send("PUT", path, { ...options, body }),
  patch: (path, body, options) => send("PATCH", path, { ...options, body }),
  delete: (path, options) => send("DELETE", path, options),
  /** Puts values into a path: api.path`schedules/${key}/pause`. */
  path: (texts, ...values) => texts.reduce((path, text, i) => path + part(values[i - 1]) + text),
};

/** Tells whether a failure is only that the view was left, or that one has to sign in again: then it stays as it is. */
export const isAbort = (failure) => failure?.name === "AbortError" || failure?.status === 401;
