// When it fires: a timing by form or text, with its words, its next fires and what moves them.
import { html, css, adopt, nothing } from "../../app/element.js";
import { moment, precisely, relative } from "../../app/time.js";
import { ROLL_CHOICES } from "../../parts/schedule-words.js";
import { TIMING_KINDS, followsCalendar, kindOf } from "../../parts/timing-kinds.js";
import { NONE_YET, compact } from "./form.js";
import "../../parts/cron-builder.js";

const ZONES = Intl.supportedValuesOf?.("timeZone") ?? [];
const OUTSIDE = [
  ["allow", "nothing: any time of a business day will do"],
  ["skip", "it is left out"],
  ["defer", "it waits until they begin"],
];
const GAPS = [
  ["fire_after", "right after it"],
  ["skip", "left out"],
];
const TWICE = [
  ["auto", "as usual"],
  ["first", "first time only"],
  ["both", "both times"],
];

/** The zone on whose clock a draft is read. */
export function zoneOfDraft({ draft, known }) {
  const { timing } = draft;
  return timing.zone ?? (followsCalendar(timing) ? known.zones.get(timing.calendar) : undefined) ?? "UTC";
}

/** @param explained what the server says about the timing, if it can be read; @param warnings what it warns of */
export function whenPanel(form, explained, warnings) {
  const { timing } = form.draft;
  const kind = kindOf(timing);
  const set = (change) => form.set({ timing: { ...timing, ...change } });
  const anew = (change) =>
    form.set({
      timing: Object.fromEntries(Object.entries({ ...timing, ...change }).filter(([, value]) => value !== undefined)),
    });
  const turn = (name, make) => {
    form.timings[kind] = timing;
    form.set({ timing: form.timings[name] ?? make(form.known.calendars[0] ?? "") });
  };
  const kinds = {
    cron: () => html`${form.text("/timing/cron", "expression", timing.cron, (cron) => set({ cron }), { mono: true })}`,
    every: () =>
      html`${form.text("/timing/every", "every", timing.every, (every) => set({ every }), { mono: true, hint: "PT30S, PT15M, P1D, P1M, or 15m" })}${form.select(
        "/timing/after",
        "counted",
        timing.after ?? "",
        [
          ["", "from the last slot"],
          ["finish", "from the end of the last run"],
        ],
        (after) => anew({ after: after || undefined }),
      )}${form.instant("/timing/anchor", "one of its slots is", timing.anchor, (anchor) => anew({ anchor }), "empty: as the clock is full")}`,
    at: () =>
      html`${form.instant("/timing/at", "at", timing.at, (at) => set({ at: at ?? "" }), timing.at ? `${precisely(timing.at, "UTC")}, ${relative(timing.at)}` : "say when")}`,
  };
  return html`<section class="panel" aria-label="When">
    <h2>When</h2>
    <div class="seg" role="group" aria-label="Kind of timing">
      ${TIMING_KINDS.map(([name, word, make]) => html`<button type="button" aria-pressed=${name === kind ? "true" : "false"} @click=${() => name !== kind && turn(name, make)}>${word}</button>`)}
    </div>
    ${kind === "cron" ? html`<cron-builder .expression=${timing.cron} .build=${(cron) => set({ cron })}></cron-builder>` : nothing}
    <div class="fields">
      ${(kinds[kind] ?? (() => byCalendar(form, kind, set)))()}
      ${form.text("/timing/zone", "zone", timing.zone, (zone) => anew({ zone: zone || undefined }), { list: "zones", hint: followsCalendar(timing) ? "that of the calendar if empty" : kind === "every" ? "only to count days and months on its clock" : "the clock it is read on" })}
      ${kind === "cron" && timing.zone && timing.zone !== "UTC" ? html`${form.select("/timing/dstGap", "when clocks skip its time", timing.dstGap ?? "fire_after", GAPS, (dstGap) => set({ dstGap }), "in spring")}${form.select("/timing/dstOverlap", "when its time comes twice", timing.dstOverlap ?? "auto", TWICE, (dstOverlap) => set({ dstOverlap }), "as usual: once, unless it fires every hour")}` : nothing}
    </div>
    <div class="fields">${moves(form)}</div>
    <datalist id="zones">${ZONES.map((zone) => html`<option value=${zone}></option>`)}</datalist>
    <div class="says" role="status">
      ${explained ? html`<b>${explained.description}</b>` : html`<span class="faint">The words come when the timing can be read.</span>`}
    </div>
    ${explained ? strip(explained.fires, zoneOfDraft(form)) : nothing}
    ${warnings.map((warning) => html`<div class="lint">${warning.message}</div>`)}
  </section>`;
}

/* What only a timing that follows a calendar has. */
function byCalendar(form, kind, set) {
  const { timing } = form.draft;
  const whole = (field) => (value) => set({ [field]: value ?? "" });
  const at = () => form.text("/timing/time", "at", timing.time, (time) => set({ time }), { type: "time" });
  const parts = {
    businessDay: () =>
      html`${form.number("/timing/businessDay", "business day of the month", timing.businessDay === "last" ? -1 : timing.businessDay, whole("businessDay"), "-1 is the last")}${at()}`,
    hours: () =>
      html`${form.select(
        "/timing/at",
        "when its hours",
        timing.at,
        [
          ["open", "open"],
          ["close", "close"],
        ],
        (edge) => set({ at: edge }),
      )}${form.text("/timing/offset", "so much later", timing.offset, (offset) => set({ offset: offset || undefined }), { mono: true, placeholder: "at once", hint: "PT15M, or -PT15M for earlier" })}`,
    businessDaysAfter: () =>
      html`${form.number("/timing/businessDaysAfter", "business days after", timing.businessDaysAfter, whole("businessDaysAfter"), "before it if negative")}${form.text("/timing/date", "date", timing.date, (date) => set({ date }), { type: "date" })}${at()}`,
  };
  return html`${parts[kind]()}${form.calendar("/timing/calendar", "of the calendar", timing.calendar, "choose one", (calendar) => set({ calendar: calendar ?? "" }))}`;
}

/* What moves a slot from where the timing has it: a calendar, quiet hours, jitter. */
function moves(form) {
  const { calendar, quietHours, jitter, jitterMode } = form.draft;
  const { quietHours: quiet } = form.known;
  const roll = (change) => form.set({ calendar: compact({ ...calendar, ...change }) });
  const names = quietHours && !quiet.includes(quietHours) ? [quietHours, ...quiet] : quiet;
  return html`${form.calendar("/calendar", "calendar", calendar?.name, "none: every day counts", (name) => (name ? roll({ roll: calendar?.roll ?? "following", name }) : form.set({ calendar: undefined })))}
  ${calendar ? html`${form.select("/calendar/roll", "on a day off", calendar.roll, ROLL_CHOICES, (chosen) => roll({ roll: chosen }))}${form.number("/calendar/offset", "then business days later", calendar.offset || undefined, (offset) => roll({ offset }), "earlier if negative")}${form.select("/calendar/outsideHours", "outside its working hours", calendar.outsideHours ?? "allow", OUTSIDE, (outsideHours) => roll({ outsideHours }))}` : nothing}
  ${form.select("/quietHours", "quiet hours", quietHours, [["", "none of its own"], ...names.map((name) => [name, name])], (name) => form.set({ quietHours: name }), quiet.length ? undefined : NONE_YET)}
  ${form.duration("/jitter", "jitter", jitter === "PT0S" ? "" : jitter, (amount) => form.set({ jitter: amount, ...(amount ? {} : { jitterMode: undefined }) }), { placeholder: "none", hint: "spreads slots that many share, such as PT30S" })}
  ${
    jitter && jitter !== "PT0S"
      ? form.select(
          "/jitterMode",
          "spread",
          jitterMode ?? "around",
          [
            ["around", "before and after the slot"],
            ["after", "after the slot only"],
          ],
          (mode) => form.set({ jitterMode: mode }),
        )
      : nothing
  }`;
}

function strip(fires, zone) {
  const says = (fire) =>
    [
      fire.note,
      fire.obstacle
        ? `no run: ${fire.obstacle}`
        : fire.dueAt !== fire.slot
          ? `moved to ${moment(fire.dueAt, { zone })}`
          : undefined,
    ].filter(Boolean);
  return html`<ol class="strip" aria-label="Next fires">
    ${fires.map((fire) => html`<li class=${says(fire).length ? "noted" : ""} title=${fire.moves.map((move) => move.because).join("; ")}><time datetime=${fire.slot}>${moment(fire.slot, { zone })}</time>${says(fire).map((text) => html`<span>${text}</span>`)}</li>`)}${fires.length ? nothing : html`<li class="faint">never</li>`}
  </ol>`;
}

adopt(css`
  .seg {
    display: inline-flex;
    flex-wrap: wrap;
    border: 1px solid var(--line);
    border-radius: 6px;
    overflow: hidden;
    margin-bottom: 12px;
  }
  .seg button {
    border: 0;
    border-radius: 0;
    color: var(--soft);
    padding: 4px 14px;
  }
  .seg button[aria-pressed="true"] {
    background: var(--accent-bg);
    color: var(--accent);
    font-weight: 550;
  }
  .says {
    margin: 14px 0 8px;
    font-size: 15px;
    overflow-wrap: anywhere;
  }
  .strip {
    list-style: none;
    display: flex;
    gap: 4px;
    padding: 0;
    margin: 0 0 8px;
    overflow-x: auto;
    font-size: 12px;
    color: var(--soft);
  }
  .strip li {
    flex: 1 0 84px;
    text-align: center;
    padding-top: 16px;
    position: relative;
    border-top: 1px solid var(--line);
    margin-top: 8px;
  }
  .strip li::before {
    content: "";
    position: absolute;
    top: -6px;
    left: calc(50% - 6px);
    width: 11px;
    height: 11px;
    border-radius: 50%;
    background: var(--panel);
    border: 2px solid var(--accent);
  }
  .strip .noted::before {
    border-color: var(--skip);
    border-style: dashed;
  }
  .strip span {
    display: block;
    color: var(--skip);
  }
  .lint {
    background: var(--skip-bg);
    border-radius: 6px;
    padding: 6px 10px;
    margin-top: 6px;
    overflow-wrap: anywhere;
  }
`);
