// Edits a calendar. What it changes is shown before it is saved; what the server refuses is said at its field.
import { CarillonElement, html, css, adopt, nothing } from "../../app/element.js";
import { api, isAbort } from "../../app/api.js";
import { toast } from "../../app/actions.js";
import { href, router } from "../../app/router.js";
import { viewerZone } from "../../app/time.js";
import "../../parts/answer-box.js";
import { DAYS, readDays, readSpans, writeDays, writeSpans } from "./day-lines.js";
import { previewOf } from "./preview.js";

const LISTS = [
  ["holidays", "Holidays", "2026-12-25 Christmas"],
  ["recurringHolidays", "Holidays of every year", "12-25 Christmas"],
  ["halfDays", "Half days", "2026-12-24 13:00 Christmas Eve"],
  ["extraWorkingDays", "Extra working days", "2026-12-19 stocktaking"],
];

/** `calendar`: as the API tells it; undefined for a new one, which is called `name`. */
class CalendarEditor extends CarillonElement {
  static properties = {
    name: {},
    calendar: { attribute: false },
    dry: { state: true },
    failure: { state: true },
    busy: { state: true },
  };

  #definition() {
    const form = this.querySelector("form").elements;
    const text = (name) => form[name].value.trim();
    if (this.calendar?.combines?.length)
      return { combines: readSpans(text("combines")), description: text("description") };
    const hours = Object.fromEntries(
      DAYS.map((day) => [day, readSpans(text(day))]).filter(([, spans]) => spans.length),
    );
    return {
      zone: text("zone"),
      description: text("description"),
      weekend: DAYS.filter((day) => form["weekend-" + day].checked),
      hours,
      ...Object.fromEntries(LISTS.map(([field]) => [field, readDays(field, text(field))])),
      ...(text("coverageUntil") ? { coverageUntil: text("coverageUntil") } : {}),
    };
  }

  async #send(dryRun) {
    this.busy = true;
    this.failure = undefined;
    const reason = this.querySelector("[name=reason]").value.trim();
    const headers = this.calendar ? { "If-Match": `"${this.calendar.version}"` } : { "If-None-Match": "*" };
    try {
      const answer = await api.put(api.path`calendars/${this.name}`, this.#definition(), {
        query: dryRun ? { dryRun: true } : { reason },
        headers,
        signal: this.signal,
      });
      if (dryRun) this.dry = answer;
      else this.#saved(answer);
    } catch (failure) {
      if (!isAbort(failure)) [this.failure, this.dry] = [failure, undefined];
    }
    this.busy = false;
    await this.updateComplete;
    this.querySelector(this.failure ? "[aria-invalid=true]" : ".editor-preview")?.scrollIntoView({ block: "nearest" });
  }

  #saved(answer) {
    toast(`${answer.name} is saved as version ${answer.version}.`);
    router.open("calendar", { name: this.name });
  }

  /* A mistake in a list is told with its line. */
  #problem(field) {
    const found = (this.failure?.errors ?? []).filter(
      (error) => error.pointer === "/" + field || error.pointer?.startsWith(`/${field}/`),
    );
    return found
      .map(
        (error) =>
          `${/^\/\w+\/(\d+)/.test(error.pointer) ? `line ${Number(error.pointer.split("/")[2]) + 1}: ` : ""}${error.message}`,
      )
      .join("; ");
  }

  #field(name, label, input, hint = "") {
    const problem = this.#problem(name);
    return html`<div class="editor-field">
      <label for="calendar-${name}">${label}</label
      >${input({ id: "calendar-" + name, invalid: problem ? "true" : nothing, says: problem || hint ? `calendar-${name}-says` : nothing })}
      ${problem ? html`<span class="field-error" id="calendar-${name}-says">${problem}</span>` : hint ? html`<span class="faint" id="calendar-${name}-says">${hint}</span>` : nothing}
    </div>`;
  }

  #text(name, label, value, { hint, type = "text" } = {}) {
    return this.#field(
      name,
      label,
      ({ id, invalid, says }) =>
        html`<input
          id=${id}
          name=${name}
          type=${type}
          .defaultValue=${value ?? ""}
          aria-invalid=${invalid}
          aria-describedby=${says}
          autocomplete="off"
        />`,
      hint,
    );
  }

  #own(calendar) {
    return html`<div class="row">
        ${this.#text("zone", "Time zone", calendar.zone ?? viewerZone)}${this.#text("coverageUntil", "Holidays are known until", calendar.coverageUntil, { type: "date" })}
      </div>
      <fieldset>
        <legend>Weekend</legend>
        <div class="row">
          ${DAYS.map((day) => html`<label class="check"><input type="checkbox" name="weekend-${day}" ?checked=${(calendar.weekend ?? ["saturday", "sunday"]).includes(day)} /> ${day}</label>`)}
        </div>
        ${this.#problem("weekend") ? html`<span class="field-error">${this.#problem("weekend")}</span>` : nothing}
      </fieldset>
      <fieldset>
        <legend>Working hours, such as 09:00-13:00, 14:00-18:00; none at all means the whole day</legend>
        <div class="hours">
          ${DAYS.map((day) => html`<label>${day}<input name=${day} class="mono" .defaultValue=${writeSpans(calendar.hours?.[day])} autocomplete="off" /></label>`)}
        </div>
        ${this.#problem("hours") ? html`<span class="field-error">${this.#problem("hours")}</span>` : nothing}
      </fieldset>
      <div class="grid cols-2">
        ${LISTS.map(([name, label, example]) => this.#field(name, label, ({ id, invalid, says }) => html`<textarea id=${id} name=${name} rows="7" class="mono" spellcheck="false" .defaultValue=${writeDays(name, calendar[name])} aria-invalid=${invalid} aria-describedby=${says}></textarea>`, `one a line: ${example}`))}
      </div>`;
  }

  render() {
    const calendar = this.calendar ?? {};
    const known = [
      "zone",
      "coverageUntil",
      "weekend",
      "hours",
      "combines",
      "description",
      ...LISTS.map(([field]) => field),
    ];
    const rest = !this.failure
      ? ""
      : this.failure.status === 412
        ? html`${this.calendar ? "Somebody else saved it meanwhile." : "There is a calendar of this name."}
            <a class="link" target="_blank" href=${href("calendar", { name: this.name })}>See what is stored now</a>,
            keep what you need of this, and edit it again.`
        : this.failure.errors?.length
          ? this.failure.errors
              .filter((error) => !known.some((field) => error.pointer?.split("/")[1] === field))
              .map((error) => error.message)
              .join("; ")
          : this.failure.message;
    return html`<form
      class="calendar-editor"
      @submit=${(event) => (event.preventDefault(), this.#send(true))}
      @input=${(event) => event.target.name !== "reason" && (this.dry = undefined)}
    >
      <div class="panel editor-fields">
        ${this.#text("description", "What it is for", calendar.description)}
        ${calendar.combines?.length ? this.#text("combines", "Calendars it combines", writeSpans(calendar.combines)) : this.#own(calendar)}
      </div>
      <div class="why editor-preview" aria-live="polite">
        <h2>What saving changes</h2>
        ${rest ? html`<p class="field-error" role="alert">${rest}</p>` : this.failure ? html`<p class="field-error" role="alert">See the fields above.</p>` : nothing}
        ${this.dry ? previewOf(this.dry) : this.failure ? nothing : html`<p class="soft">Nothing is stored until you have seen it and saved.</p>`}
        <div class="row save-row">
          <label class="grow"
            >Reason, kept with the version<input name="reason" maxlength="1000" autocomplete="off"
          /></label>
          <button
            type="button"
            @click=${() => router.open(this.calendar ? "calendar" : "calendars", this.calendar ? { name: this.name } : {})}
          >
            Give up
          </button>
          <button class=${this.dry ? "" : "primary"} ?disabled=${this.busy}>Show what changes</button>
          ${this.dry ? html`<button type="button" class="primary save" ?disabled=${this.busy || this.dry.result === "unchanged"} @click=${() => this.#send(false)}>Save version ${(this.calendar?.version ?? 0) + 1}</button>` : nothing}
        </div>
      </div>
    </form>`;
  }
}
customElements.define("calendar-editor", CalendarEditor);

adopt(css`
  .calendar-editor {
    display: grid;
    gap: 16px;
  }
  .editor-fields {
    display: grid;
    gap: 14px;
  }
  .editor-field {
    display: grid;
    gap: 4px;
    flex: 1;
    min-width: 0;
  }
  .calendar-editor .row {
    display: flex;
    gap: 12px;
    flex-wrap: wrap;
    align-items: end;
  }
  .row > * {
    min-width: 0;
  }
  .row .editor-field {
    min-width: 150px;
  }
  .calendar-editor fieldset {
    border: 0;
    margin: 0;
    padding: 0;
  }
  .calendar-editor legend {
    font-size: 12px;
    color: var(--soft);
    padding: 0 0 6px;
  }
  .calendar-editor .check {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    font-size: 13px;
    color: var(--ink);
  }
  .hours {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(130px, 1fr));
    gap: 10px;
  }
  .save-row {
    margin-top: 12px;
  }
  .save-row label {
    flex: 1;
    min-width: 180px;
  }
`);
