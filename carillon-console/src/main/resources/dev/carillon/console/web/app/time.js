// Instants and durations in words. Instants come as RFC 3339 in UTC, zones as names such as Europe/Rome.
import { serverNow } from "./clock.js";
export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map();
function format(zone, options) {
  const key = zone + JSON.stringify(options);
  if (!formats.has(key)) {
    let made;
    try {
      made = new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options });
    } catch {
      made = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
    }
    formats.set(key, made);
  }
  return formats.get(key);
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const SECONDS = { ...CLOCK, second: "2-digit" };
const DAY = { weekday: "short", day: "numeric", month: "short" };

/** 14:07 */
export const clock = (at, zone = viewerZone) => format(zone, CLOCK).format(new Date(at));
/** 14:07:31 */
export const clockSeconds = (at, zone = viewerZone) => format(zone, SECONDS).format(new Date(at));
/** Tue 17 Nov */
export const day = (at, zone = viewerZone) => format(zone, DAY).format(new Date(at)).replace(",", "");
/** 2026-11-17, as it is in `zone` */
export const isoDay = (at, zone = viewerZone) => {
  const parts = Object.fromEntries(
    format(zone, { year: "numeric", month: "2-digit", day: "2-digit" })
      .formatToParts(new Date(at))
      .map((p) => [p.type, p.value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}`;
};

/** 14:07:31 today, else Tue 17 Nov 14:07, with the year if it is another. */
export function moment(at, { zone = viewerZone, now = serverNow(), seconds = false } = {}) {
  const time = (seconds ? clockSeconds : clock)(at, zone);
  if (isoDay(at, zone) === isoDay(now, zone)) return time;
  const year = isoDay(at, zone).slice(0, 4);
  return `${day(at, zone)}${year === isoDay(now, zone).slice(0, 4) ? "" : " " + year} ${time}`;
}

/** Midnight `days` after today, of the viewer, as a Date. */
export function midnight(days = 0, now = serverNow()) {
  const at = new Date(now);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days);
}

/** Ends that people often mean, for a field for dates and times: `[[value, word]]`. */
export const oftenUntil = (now = serverNow()) => [
  [localField(midnight(1, now)), "tomorrow"],
  [localField(midnight((8 - new Date(now).getDay()) % 7 || 7, now)), "Monday"],
];

/** The whole instant, in `zone` and, if that differs, in UTC: for titles. */
export function precisely(at, zone = viewerZone) {
  const here = `${day(at, zone)} ${isoDay(at, zone).slice(0, 4)} ${clockSeconds(at, zone)} ${zone}`;
  return zone === "UTC"
    ? here
    : `${here} · ${new Date(at)
        .toISOString()
        .replace("T", " ")
        .replace(/\.000Z$|Z$/, "")} UTC`;
}

/** An instant as a field for dates and times has it, on the viewer's clock; empty if there is none. */
export function localField(at) {
  const date = new Date(at ?? "");
  return Number.isNaN(date.getTime())
    ? ""
    : new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The instant that such a field says; undefined if it is empty. */
export const instantOf = (local) => (local ? new Date(local).toISOString().replace(".000Z", "Z") : undefined);

/** in 2 m 29 s, 3 d ago, now */
export function relative(at, now = serverNow()) {
  const away = new Date(at) - now;
  if (Math.abs(away) < 1000) return "now";
  return away > 0 ? `in ${duration(away)}` : `${duration(-away)} ago`;
}

const UNITS = [
  ["y", 31_557_600_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** 820 ms, 1.2 s, 8 m 12 s, 23 h 52 m */
export function duration(ms) {
  if (ms === null || ms === undefined) return "";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toString()} s`;
  const first = UNITS.findIndex(([, size]) => ms >= size);
  const [name, size] = UNITS[first];
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((ms % size) / next[1]) : 0;
  return `${Math.floor(ms / size)} ${name}${rest ? ` ${rest} ${next[0]}` : ""}`;
}
