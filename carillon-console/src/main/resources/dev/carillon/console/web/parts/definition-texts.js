// A definition to take elsewhere: as YAML for `carillon apply`, as a curl command, as Java.
import { catchUpMode } from "./schedule-words.js";

const PLAIN = /^[A-Za-z][\w ./-]*$/;
const WORDS = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

const scalar = (value) =>
  typeof value === "string"
    ? PLAIN.test(value) && !value.endsWith(" ") && !WORDS.includes(value.toLowerCase())
      ? value
      : JSON.stringify(value)
    : JSON.stringify(value);

function lines(value, indent) {
  const pad = " ".repeat(indent);
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = pad + scalar(name) + ":";
    if (
      inner &&
      typeof inner === "object" &&
      !Array.isArray(inner) &&
      !JSON.isRawJSON?.(inner) &&
      Object.keys(inner).length
    )
      return [key, ...lines(inner, indent + 2)];
    return [`${key} ${inner && typeof inner === "object" ? JSON.stringify(inner) : scalar(inner)}`];
  });
}

/** As YAML; JSON inside of it is YAML as well. */
export const yaml = (key, definition) => lines({ key, ...definition }, 0).join("\n") + "\n";

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** As a command; the token is read from CARILLON_TOKEN. */
export const curl = (key, definition, base) =>
  `curl -X PUT ${quoted(base + "schedules/" + encodeURIComponent(key))} \\\n  -H "Authorization: Bearer $CARILLON_TOKEN" -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(definition))}\n`;

const text = (value) =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const time = (value) => `Duration.parse(${text(value)})`;
const constant = (word) => word.toUpperCase();

const last = (day) => (day === "last" ? -1 : day);

function timing({
  cron,
  zone,
  every,
  anchor,
  at,
  in: delay,
  businessDay,
  businessDaysAfter,
  date,
  time: clock,
  offset,
  calendar,
}) {
  if (businessDay !== undefined)
    return `.businessDayOfMonth(${last(businessDay)}, LocalTime.parse(${text(clock)}), ${text(calendar)})`;
  if (businessDaysAfter !== undefined)
    return `.businessDaysAfter(${businessDaysAfter}, LocalDate.parse(${text(date)}), LocalTime.parse(${text(clock)}), ${text(calendar)})`;
  if (at === "open" || at === "close")
    return `.whenHours${at === "open" ? "Open" : "Close"}(${text(calendar)}, ${time(offset ?? "PT0S")})`;
  if (cron !== undefined) return `.cron(${text(cron)}, ${text(zone ?? "UTC")})`;
  if (every !== undefined)
    return `.every(${zone ? `Period.parse(${text(every)})` : time(every)}${anchor ? `, ${instant(anchor)}` : ""}${zone ? `, ZoneId.of(${text(zone)})` : ""})`;
  return at !== undefined ? `.at(${instant(at)})` : `.in(${time(delay)})`;
}

const instant = (value) => `Instant.parse(${text(value)})`;

const overlaps = ({ overlap, queueLimit }) =>
  overlap &&
  `.overlap(${overlap === "queue" && queueLimit ? `Overlap.queue(${queueLimit})` : `Overlap.${constant(overlap)}`})`;

function catchingUp({ catchUp }) {
  if (!catchUp?.mode) return undefined;
  const { limit, maxAge, grace } = catchUp;
  return `.catchUp(CatchUp.${catchUpMode(catchUp)}()${limit ? `.limit(${limit})` : ""}${maxAge ? `.maxAge(${time(maxAge)})` : maxAge === null ? ".anyAge()" : ""}${grace ? `.grace(${time(grace)})` : ""})`;
}

function retrying({ retry }) {
  if (!(retry?.attempts > 1)) return undefined;
  const { attempts, backoff, factor, maxBackoff, calendar } = retry;
  return `.retry(Retry.times(${attempts})${backoff ? `.backoff(${time(backoff)})` : ""}${factor ? `.factor(${factor})` : ""}${maxBackoff ? `.maxBackoff(${time(maxBackoff)})` : ""}${calendar ? `.calendar(${text(calendar)})` : ""})`;
}

function promised({ deadline, expect }) {
  return [
    deadline &&
      `.deadline(Deadline.${deadline.at ? `at(LocalTime.parse(${text(deadline.at)})` : `after(${time(deadline.after)}`}, ${text(deadline.escalateTo)})${deadline.calendar ? `.calendar(${text(deadline.calendar)})` : ""})`,
    expect &&
      `.expect(Expectation.successEvery(${time(expect.successEvery)})${expect.grace ? `.grace(${time(expect.grace)})` : ""}${expect.escalateTo ? `.escalateTo(${text(expect.escalateTo)})` : ""})`,
  ];
}

const following = ({ calendar }) =>
  calendar &&
  `.calendar(CalendarPolicy.of(${text(calendar.name)}, Roll.${constant(calendar.roll ?? "following")})${calendar.offset ? `.offset(${calendar.offset})` : ""}${calendar.outsideHours && calendar.outsideHours !== "allow" ? `.outsideHours(OutsideHours.${constant(calendar.outsideHours)})` : ""})`;

/** As Java. */
export function java(key, definition) {
  const {
    target,
    payload,
    window: period,
    jitter,
    jitterMode,
    timeout,
    timeoutCalendar,
    recovery,
    pauseAfterFailures,
    maxRuns,
    quietHours,
    description,
    tags,
    template,
  } = definition;
  const { dstGap, dstOverlap, after } = definition.timing ?? {};
  const calls = [
    `.target(${text(target ?? "")})`,
    timing(definition.timing ?? {}),
    after === "finish" && ".afterFinish()",
    payload && Object.keys(payload).length && `.payload(Payload.json(${text(JSON.stringify(payload))}))`,
    template && ".template()",
    period?.from && `.from(${instant(period.from)})`,
    period?.until && `.until(${instant(period.until)})`,
    jitter &&
      jitter !== "PT0S" &&
      (jitterMode === "after" ? `.jitter(Jitter.after(${time(jitter)}))` : `.jitter(${time(jitter)})`),
    following(definition),
    quietHours && `.quietHours(${text(quietHours)})`,
    overlaps(definition),
    catchingUp(definition),
    retrying(definition),
    recovery === "fail" && ".recovery(Recovery.FAIL)",
    timeout && `.timeout(${time(timeout)}${timeoutCalendar ? `, ${text(timeoutCalendar)}` : ""})`,
    ...promised(definition),
    pauseAfterFailures && `.pauseAfterFailures(${pauseAfterFailures})`,
    maxRuns && `.maxRuns(${maxRuns})`,
    description && `.description(${text(description)})`,
    tags?.length && `.tags(${tags.map(text).join(", ")})`,
  ].filter(Boolean);
  const clocks =
    (dstGap && dstGap !== "fire_after") || (dstOverlap && dstOverlap !== "auto")
      ? "// Clock changes: give the timing as a Cron, with withGap and withOverlap.\n"
      : "";
  return `${clocks}carillon.schedules().upsert(\n    ScheduleDraft.named(${text(key)})\n${calls.map((call) => "        " + call).join("\n")});\n`;
}
