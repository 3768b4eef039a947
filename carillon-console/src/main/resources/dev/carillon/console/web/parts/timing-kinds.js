// The kinds of timings that the editor offers, and what a new one of each says.
import { serverNow } from "../app/clock.js";
import { isoDay, viewerZone } from "../app/time.js";

const HOUR = 3_600_000;
const EDGES = ["open", "close"];

/** `[kind, word, make]`; `make` takes the name of a calendar. */
export const TIMING_KINDS = [
  ["cron", "Cron", () => ({ cron: "0 9 * * 1-5", zone: viewerZone })],
  ["every", "Every", () => ({ every: "PT15M" })],
  ["at", "Once", () => ({ at: new Date(Math.ceil(serverNow() / HOUR) * HOUR).toISOString().replace(".000", "") })],
  ["businessDay", "Business day", (calendar) => ({ businessDay: 1, time: "09:00", calendar })],
  ["hours", "Opening hours", (calendar) => ({ at: "open", calendar })],
  [
    "businessDaysAfter",
    "Days after a date",
    (calendar) => ({ businessDaysAfter: 2, date: isoDay(serverNow()), time: "09:00", calendar }),
  ],
];

/** Tells which of them a timing is. */
export const kindOf = (timing) =>
  EDGES.includes(timing?.at) ? "hours" : (TIMING_KINDS.find(([kind]) => timing?.[kind] !== undefined)?.[0] ?? "cron");

/** Tells whether a timing counts the days of a calendar. */
export const followsCalendar = (timing) => ["businessDay", "hours", "businessDaysAfter"].includes(kindOf(timing));
