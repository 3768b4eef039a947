// A schedule's definition in words: what it is, when it fires, and what its rules do.
import { html, nothing } from "../app/element.js";
import { moment } from "../app/time.js";
import { count } from "../app/words.js";
import { followsCalendar } from "./timing-kinds.js";

const UNITS = { Y: "year", M: "month", W: "week", D: "day", H: "hour", m: "minute", S: "second" };

/** PT1H30M as "1 hour 30 minutes"; a text that is no duration as it is. */
export function span(text) {
  if (!text) return "";
  const [days, times = ""] = text.replace(/^P/, "").split("T");
  const parts = [
    ...days.matchAll(/([\d.]+)([YMWD])/g),
    ...[...times.matchAll(/([\d.]+)([HMS])/g)].map(([all, n, unit]) => [all, n, unit === "M" ? "m" : unit]),
  ];
  return (
    parts
      .filter(([, n]) => Number(n) !== 0)
      .map(([, n, unit]) => count(Number(n), UNITS[unit]))
      .join(" ") || "no time"
  );
}

/** The zone in which a schedule is read. */
export const zoneOf = (schedule) => schedule.timing?.zone ?? schedule.calendarZone ?? "UTC";

/** The timing as it was written: a cron expression, an interval or an instant; none that follows a calendar, as its words say all. */
export const expressionOf = ({ timing }) =>
  timing?.cron ?? (timing?.every ? `every ${timing.every}` : followsCalendar(timing) ? "" : (timing?.at ?? ""));

/** When it fires, in words, without the zone. */
export const whenOf = (schedule) => schedule.timingText.replace(`, ${schedule.timing?.zone}`, "");

/** How each status of a schedule looks. */
export const STATUSES = {
  active: { tone: "ok", word: "active" },
  paused: { tone: "wait", word: "paused" },
  completed: { tone: "skip", word: "completed" },
  retired: { tone: "skip", word: "retired" },
};

/** Tells whether it fires no more, until it is stored again: a client retired it, or it had no slot left. */
export const isOver = ({ status }) => status === "retired" || status === "completed";

/** What a person wants to know first: failing, paused, active. */
export function stateOfSchedule(schedule) {
  const bad = failuresInARow(schedule);
  if (schedule.status === "paused")
    return { tone: "wait", word: "paused" + (schedule.pausedUntil ? ` until ${moment(schedule.pausedUntil)}` : "") };
  if (schedule.status === "active" && bad)
    return { tone: "bad", word: bad > 1 ? `failing, ${bad} in a row` : "last run failed" };
  return STATUSES[schedule.status] ?? { tone: "wait", word: schedule.status };
}

/** How many of the latest runs failed one after the other. */
export function failuresInARow({ recent = [], lastRun }) {
  const runs = recent.length ? recent : lastRun ? [lastRun] : [];
  const ended = runs.filter((run) => !["running", "pending", "skipped", "canceled"].includes(run.state));
  const mended = ended.findIndex((run) => run.state !== "failed");
  return mended < 0 ? ended.length : mended;
}

const OVERLAPS = {
  skip: "a run still going: the next slot is skipped, with a reason",
  allow: "runs go side by side",
  queue: "a run still going: the next ones wait, in order",
  queue_one: "a run still going: the next one waits, one at most",
  cancel_previous: "a run still going is canceled for the next one",
};
export const OVERLAP_CHOICES = [
  ["skip", "Skip", "the slot is recorded as skipped"],
  ["queue_one", "Wait, one at most", "one slot waits, more are skipped with a reason"],
  ["queue", "Wait in line", "all slots wait, in order"],
  ["allow", "Run both", "side by side"],
  ["cancel_previous", "Replace", "the running one is canceled"],
];
export const CATCH_UP_CHOICES = [
  ["once", "Run once", "for the latest missed slot"],
  ["skip", "Skip", "missed slots are recorded only"],
  ["all", "Run all", "oldest first, capped"],
  ["spread", "Spread", "each, over the next minute"],
];
const CATCH_UPS = {
  once: "the latest missed slot runs, for all of them",
  skip: "missed slots are recorded, and do not run",
  all: "all missed slots run, oldest first",
  spread: "all missed slots run, spread over the next minute",
};
const ALIASES = { none: "skip", run_once: "once", fire_immediately: "all", run_all: "all", run_all_capped: "all" };
export const catchUpMode = (catchUp) => ALIASES[catchUp?.mode] ?? catchUp?.mode ?? "once";
const ROLLS = {
  skip: "slots on other days are left out",
  following: "moves to the following business day",
  modified_following: "moves to the following business day of the same month",
  preceding: "moves to the business day before",
  modified_preceding: "moves to the business day before, in the same month",
  nearest: "moves to the nearest business day",
};
export const ROLL_CHOICES = Object.entries(ROLLS);

/* A duration that counts the working time of a calendar says so. */
const working = (calendar) => (calendar ? ` of working time by ${calendar}` : "");

/** The facts of a definition: `[name, template]`, without those that say nothing. */
export function facts(schedule) {
  const { calendar, catchUp, retry, deadline, expect, window: period } = schedule;
  const attempts = retry?.attempts ?? 1;
  return [
    ["fires", html`${schedule.timingText} <span class="faint mono">${expressionOf(schedule)}</span>`],
    ["target", html`<span class="mono">${schedule.target}</span>`],
    calendar && [
      "calendar",
      html`<b>${calendar.name}</b>:
        ${ROLLS[calendar.roll] ?? calendar.roll}${calendar.offset ? `, then ${count(Math.abs(calendar.offset), "business day")} ${calendar.offset > 0 ? "later" : "earlier"}` : ""}${calendar.outsideHours && calendar.outsideHours !== "allow" ? `; outside its hours: ${calendar.outsideHours}` : ""}`,
    ],
    schedule.quietHours && ["quiet hours", html`<b>${schedule.quietHours}</b>`],
    period &&
      (period.from || period.until) && [
        "only",
        html`${period.from ? `from ${moment(period.from)}` : nothing}
        ${period.until ? `until ${moment(period.until)}` : nothing}`,
      ],
    schedule.jitter &&
      schedule.jitter !== "PT0S" && [
        "jitter",
        `${schedule.jitterMode === "after" ? "up to" : "around the slot, by up to"} ${span(schedule.jitter)}`,
      ],
    ["overlap", OVERLAPS[schedule.overlap] ?? schedule.overlap],
    [
      "after an outage",
      `${CATCH_UPS[catchUpMode(catchUp)] ?? catchUp?.mode}${catchUp?.maxAge ? `, if less than ${span(catchUp.maxAge)} old` : ""}`,
    ],
    [
      "attempts",
      attempts > 1
        ? `${attempts}, the second after ${span(retry.backoff)}${working(retry.calendar)}, then ${retry.factor} times as long each, up to ${span(retry.maxBackoff)}; then dead letter`
        : "one; then dead letter",
    ],
    schedule.pauseAfterFailures && [
      "pauses",
      `by itself after ${count(schedule.pauseAfterFailures, "failure")} in a row`,
    ],
    schedule.timeout && [
      "timeout",
      `an attempt is stopped after ${span(schedule.timeout)}${working(schedule.timeoutCalendar)}`,
    ],
    deadline && [
      "deadline",
      html`finished
        ${deadline.after ? `within ${span(deadline.after)}${working(deadline.calendar)}` : `by ${deadline.at}`}, else
        <span class="mono">${deadline.escalateTo}</span> is run`,
    ],
    expect && [
      "expected",
      html`a success every
      ${span(expect.successEvery)}${expect.escalateTo ? html`, else <span class="mono">${expect.escalateTo}</span> is run` : nothing}`,
    ],
    schedule.maxRuns && ["at most", count(schedule.maxRuns, "run")],
    schedule.recovery === "fail" && ["if a node dies", "the run fails"],
  ].filter(Boolean);
}
