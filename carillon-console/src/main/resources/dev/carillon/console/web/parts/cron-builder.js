// A cron expression by form, for the common ones: how often, at what time, on which days.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const KINDS = [
  ["minutes", "every few minutes"],
  ["hourly", "every hour"],
  ["daily", "every day"],
  ["weekly", "on days of the week"],
  ["monthly", "every month"],
];

/** `expression`: as it is now; `build` is called with the new one */
class CronBuilder extends CarillonElement {
  static properties = { expression: {}, build: { attribute: false } };

  #read() {
    const [minute, hour, day, month, week, more] = (this.expression ?? "").trim().split(/\s+/);
    const whole = (value) => /^\d+$/.test(value ?? "");
    const time = whole(minute) && whole(hour) ? `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` : "09:00";
    if (more !== undefined || month !== "*") return { kind: "", time, step: "15", day: "1", week: [] };
    const step = /^\*\/(\d+)$/.exec(minute ?? "")?.[1];
    const kind =
      step && hour === "*" && day === "*" && week === "*"
        ? "minutes"
        : whole(minute) && hour === "*" && day === "*" && week === "*"
          ? "hourly"
          : !whole(minute) || !whole(hour)
            ? ""
            : day === "*" && week === "*"
              ? "daily"
              : day === "*"
                ? days(week)
                  ? "weekly"
                  : ""
                : week === "*" && (whole(day) || day === "L")
                  ? "monthly"
                  : "";
    return {
      kind,
      time,
      step: step ?? "15",
      minute: whole(minute) ? minute : "0",
      day: kind === "monthly" ? day : "1",
      week: days(week) ?? [1, 2, 3, 4, 5],
    };
  }

  #write(change) {
    const now = { ...this.#read(), ...change };
    const [hour, minute] = now.time.split(":").map(Number);
    const week =
      now.week.length === 5 && now.week.every((day, i) => day === i + 1)
        ? "1-5"
        : now.week.length
          ? now.week.join(",")
          : "1";
    this.build(
      {
        minutes: `*/${now.step} * * * *`,
        hourly: `${now.minute ?? 0} * * * *`,
        daily: `${minute} ${hour} * * *`,
        weekly: `${minute} ${hour} * * ${week}`,
        monthly: `${minute} ${hour} ${now.day} * *`,
      }[now.kind] ?? this.expression,
    );
  }

  render() {
    const now = this.#read();
    const timed = ["daily", "weekly", "monthly"].includes(now.kind);
    return html`<div class="builder">
      <label
        >how often<select name="kind" @change=${(event) => this.#write({ kind: event.target.value })}>
          <option value="" ?selected=${!now.kind}>as written</option>
          ${KINDS.map(([kind, word]) => html`<option value=${kind} ?selected=${kind === now.kind}>${word}</option>`)}
        </select></label
      >
      ${now.kind === "minutes" ? html`<label>minutes<input name="step" type="number" min="1" max="59" .value=${now.step} @change=${(event) => this.#write({ step: event.target.value || "15" })} /></label>` : nothing}
      ${now.kind === "hourly" ? html`<label>minute of the hour<input name="minute" type="number" min="0" max="59" .value=${now.minute} @change=${(event) => this.#write({ minute: event.target.value || "0" })} /></label>` : nothing}
      ${timed ? html`<label>at<input name="time" type="time" .value=${now.time} @change=${(event) => event.target.value && this.#write({ time: event.target.value })} /></label>` : nothing}
      ${
        now.kind === "monthly"
          ? html`<label
              >day of the month<select name="day" @change=${(event) => this.#write({ day: event.target.value })}>
                ${[...Array.from({ length: 31 }, (_, i) => String(i + 1)), "L"].map((day) => html`<option value=${day} ?selected=${day === now.day}>${day === "L" ? "the last" : day}</option>`)}
              </select></label
            >`
          : nothing
      }
      ${
        now.kind === "weekly"
          ? html`<fieldset>
              <legend>on</legend>
              ${DAYS.map((name, i) => html`<label class="day"><input type="checkbox" .checked=${now.week.includes(i + 1)} @change=${(event) => this.#write({ week: event.target.checked ? [...now.week, i + 1].sort() : now.week.filter((day) => day !== i + 1) })} />${name}</label>`)}
            </fieldset>`
          : nothing
      }
    </div>`;
  }
}
customElements.define("cron-builder", CronBuilder);

/* 1-5 or 1,3 as numbers from Monday on; undefined if it is written otherwise. */
function days(text) {
  const range = /^([1-7])-([1-7])$/.exec(text ?? "");
  if (range && range[1] < range[2])
    return Array.from({ length: range[2] - range[1] + 1 }, (_, i) => Number(range[1]) + i);
  return /^[1-7](,[1-7])*$/.test(text ?? "") ? text.split(",").map(Number) : undefined;
}

adopt(css`
  .builder {
    display: flex;
    gap: 8px 12px;
    flex-wrap: wrap;
    align-items: start;
    margin-bottom: 12px;
  }
  .builder > label {
    min-width: 140px;
  }
  .builder fieldset {
    border: 0;
    padding: 0;
    margin: 0;
    display: flex;
    gap: 4px 10px;
    flex-wrap: wrap;
  }
  .builder legend {
    font-size: 12px;
    color: var(--soft);
    padding: 0 0 4px;
  }
  .builder .day {
    display: flex;
    gap: 4px;
    align-items: center;
    font-size: 13px;
    color: var(--ink);
  }
`);
