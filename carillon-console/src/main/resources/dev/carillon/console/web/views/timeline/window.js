// The window of time that is looked at: how it is panned, zoomed and marked with ticks.
import { serverNow } from "../../app/clock.js";

/** How long a window can be, in milliseconds. */
export const SPANS = [
  5 * 60_000,
  15 * 60_000,
  3_600_000,
  3 * 3_600_000,
  6 * 3_600_000,
  12 * 3_600_000,
  86_400_000,
  3 * 86_400_000,
  7 * 86_400_000,
];
const DEFAULT_SPAN = 3_600_000;
// What the API knows, less the longest window.
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 24)];
const STEPS = [
  30_000,
  60_000,
  5 * 60_000,
  15 * 60_000,
  30 * 60_000,
  3_600_000,
  3 * 3_600_000,
  6 * 3_600_000,
  86_400_000,
];

/** Returns the window that an address says: around now unless it says from when. */
export function windowOf(params, now = serverNow()) {
  const span = SPANS.includes(Number(params.span)) ? Number(params.span) : DEFAULT_SPAN;
  const from = Date.parse(params.from ?? "");
  const begin = Number.isNaN(from) ? now - span / 2 : Math.min(LAST, Math.max(FIRST, from));
  return { from: begin, to: begin + span, span, follows: Number.isNaN(from) };
}

/** Returns what the address says after a step to the side, by a share of the window. */
export const panned = (window, share) => ({
  from: new Date(Math.round((window.from + share * window.span) / 1000) * 1000).toISOString(),
});

/** Returns what the address says after a zoom, in (1) or out (-1), which leaves the instant at `share` where it is. */
export function zoomed(window, direction, share = 0.5) {
  const span = SPANS[SPANS.indexOf(window.span) - direction];
  if (!span) return {};
  if (window.follows && share === 0.5) return { span };
  const at = window.from + share * window.span;
  return { span, from: new Date(Math.round((at - share * span) / 1000) * 1000).toISOString() };
}

/** Returns instants for about six labels. */
export function ticksOf(window) {
  const step = STEPS.find((one) => window.span / one <= 7) ?? STEPS.at(-1);
  const first = Math.ceil(window.from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((window.to - first) / step) + 1) }, (none, i) => first + i * step);
}

/** Returns where an instant stands, in percent of the window. */
export const place = (window, at) => ((new Date(at).getTime() - window.from) / window.span) * 100;
