// A definition to take elsewhere: as YAML for `carillon apply`, as a curl command, as Java.
import { catchUpMode } from "./schedule-words.js";

const PLAIN = /^[A-Za-z][\w ./-]*$/;
const WORDS = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

const scalar = (value) => (typeof value === "string" ? (PLAIN.test(value) && !value.endsWith(" ") && !WORDS.includes(value.toLowerCase()) ? value : JSON.stringify(value)) : JSON.stringify(value));

function lines(value, indent) {
  const pad = " ".repeat(indent);
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = pad + scalar(name) + ":";
    if (inner && typeof inner === "object" && !Array.isArray(inner) && Object.keys(inner).length) return [key, ...lines(inner, indent + 2)];
    return [`${key} ${inner && typeof inner === "object" ? JSON.stringify(inner) : scalar(inner)}`];
  });
}

/** As YAML; JSON inside of it is YAML as well. */
export const yaml = (key, definition) => lines({ key, ...definition }, 0).join("\n") + "\n";

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** As a command; the token is read from CARILLON_TOKEN. */
export const curl = (key, definition, base) => `curl -X PUT ${quoted(base + "schedules/" + encodeURIComponent(key))} \\\n  -H "Authorization: Bearer $CARILLON_TOKEN" -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(definition))}\n`;

const text = (value) => JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const time = (value) => `Duration.parse(${text(value)})`;
const constant = (word) => word.toUpperCase();

function timing({ cron, zone, every, at, in: delay, businessDay, businessDaysAfter, date, time: clock, offset, calendar }) {
  if (businessDay !== undefined) return `.businessDayOfMonth(${businessDay === "last" ? -1 : businessDay}, LocalTime.parse(${text(clock)}), ${text(calendar)})`;
  if (businessDaysAfter !== undefined) return `.businessDaysAfter(${businessDaysAfter}, LocalDate.parse(${text(date)}), LocalTime.parse(${text(clock)}), ${text(calendar)})`;
  if (at === "open" || at === "close") return `.whenHours${at === "open" ? "Open" : "Close"}(${text(calendar)}, ${time(offset ?? "PT0S")})`;
  if (cron !== undefined) return `.cron(${text(cron)}, ${text(zone ?? "UTC")})`;
  if (every !== undefined) return `.every(${time(every)})`;
  return at !== undefined ? `.at(Instant.parse(${text(at)}))` : `.in(${time(delay)})`;
}

/** As Java, with what a schedule mostly says. */
export function java(key, definition) {
  const { target, payload, overlap, catchUp, retry, jitter, timeout, pauseAfterFailures, maxRuns, quietHours, description, tags, template } = definition;
  const calls = [
    `.target(${text(target ?? "")})`,
    timing(definition.timing ?? {}),
    payload && Object.keys(payload).length && `.payload(Payload.of(${text(JSON.stringify(payload))}))`,
    template && ".template()",
    overlap && `.overlap(Overlap.${constant(overlap)})`,
    catchUp?.mode && `.catchUp(CatchUp.${catchUpMode(catchUp)}())`,
    retry?.attempts && `.retry(Retry.times(${retry.attempts}))`,
    jitter && jitter !== "PT0S" && `.jitter(${time(jitter)})`,
    timeout && `.timeout(${time(timeout)})`,
    pauseAfterFailures && `.pauseAfterFailures(${pauseAfterFailures})`,
    maxRuns && `.maxRuns(${maxRuns})`,
    quietHours && `.quietHours(${text(quietHours)})`,
    description && `.description(${text(description)})`,
    tags?.length && `.tags(${tags.map(text).join(", ")})`,
  ].filter(Boolean);
  return `carillon.schedules().upsert(\n    ScheduleDraft.named(${text(key)})\n${calls.map((call) => "        " + call).join("\n")});\n`;
}
