// The fields of a draft: each with its label, its hint and what the server says about it.
import { noChange } from "lit";
import { html, css, adopt, nothing } from "../../app/element.js";
import { href } from "../../app/router.js";
import { instantOf, localField, viewerZone } from "../../app/time.js";

/** Leaves out what is undefined or empty; undefined if nothing is left. */
export function compact(value) {
  const left = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== "");
  return left.length ? Object.fromEntries(left) : undefined;
}

/** Leads to where calendars and quiet hours are made; what is not saved is kept meanwhile. */
export const NONE_YET = html`there are none yet: <a class="link" href=${href("calendars")}>make one</a>`;

/* What is being typed is left as it is, be it half of a date. */
const unlessTyped = (id, value) => (document.activeElement?.id === id ? noChange : (value ?? ""));

export class Form {
  #shown = [];

  /** `draft`: the definition; `known`: names there are; `timings`: what was written of other kinds; `errorAt` tells what is wrong at a pointer; `set` changes fields of the draft */
  constructor({ draft, known, timings, errorAt, set }) {
    Object.assign(this, { draft, known, timings, set });
    this.errorAt = errorAt;
  }

  /** Tells whether an error at `pointer` stands at some field already. */
  shows(pointer) {
    return this.#shown.some((one) => pointer === one.pointer || (one.deep && pointer?.startsWith(one.pointer + "/")));
  }

  /** Returns what is wrong at a pointer, with what is inside of it if `deep`. */
  error(pointer, deep = false) {
    this.#shown.push({ pointer, deep });
    return this.errorAt(pointer, deep);
  }

  field(pointer, label, input, hint, deep) {
    const id = "edit" + pointer.replaceAll("/", "-");
    const wrong = this.error(pointer, deep);
    return html`<div class="field">
      <label for=${id}>${label}</label
      >${input(id, wrong ? "true" : nothing, wrong || hint ? id + "-says" : nothing)}${wrong ? html`<span class="field-error" id=${id + "-says"}>${wrong}</span>` : nothing}${hint ? html`<span class="faint hint" id=${wrong ? nothing : id + "-says"}>${hint}</span>` : nothing}
    </div>`;
  }

  text(pointer, label, value, set, { hint, mono, list, placeholder, type = "text", disabled, step, deep } = {}) {
    return this.field(
      pointer,
      label,
      (id, invalid, says) =>
        html`<input
          id=${id}
          type=${type}
          class=${mono ? "mono" : ""}
          autocomplete="off"
          spellcheck="false"
          list=${list ?? nothing}
          step=${step ?? nothing}
          placeholder=${placeholder ?? ""}
          ?readonly=${disabled}
          aria-invalid=${invalid}
          aria-describedby=${says}
          .value=${unlessTyped(id, value)}
          @input=${(event) => set(event.target.value.trim())}
        />`,
      hint,
      deep,
    );
  }

  lines(pointer, label, value, set, { rows = 3, mono, deep } = {}) {
    return this.field(
      pointer,
      label,
      (id, invalid, says) =>
        html`<textarea
          id=${id}
          class=${mono ? "mono" : ""}
          rows=${rows}
          spellcheck=${mono ? "false" : nothing}
          aria-invalid=${invalid}
          aria-describedby=${says}
          .value=${unlessTyped(id, value)}
          @input=${(event) => set(event.target.value)}
        ></textarea>`,
      undefined,
      deep,
    );
  }

  number(pointer, label, value, set, hint) {
    return this.text(pointer, label, value, (text) => set(text === "" ? undefined : Number(text)), {
      type: "number",
      step: "any",
      hint,
    });
  }

  duration(pointer, label, value, set, { placeholder, hint = "such as 90s, PT10M or P1D" } = {}) {
    return this.text(pointer, label, value, (text) => set(text || undefined), { mono: true, placeholder, hint });
  }

  /** An instant, picked on the viewer's clock. */
  instant(pointer, label, value, set, hint) {
    return this.text(pointer, `${label} (${viewerZone})`, localField(value), (local) => set(instantOf(local)), {
      type: "datetime-local",
      step: 1,
      hint,
    });
  }

  select(pointer, label, value, options, set, hint) {
    return this.field(
      pointer,
      label,
      (id, invalid, says) =>
        html`<select
          id=${id}
          aria-invalid=${invalid}
          aria-describedby=${says}
          @change=${(event) => set(event.target.value)}
        >
          ${options.map(([option, word]) => html`<option value=${option} ?selected=${option === (value ?? "")}>${word}</option>`)}
        </select>`,
      hint,
    );
  }

  /** One of the calendars there are, or `none`. */
  calendar(pointer, label, value, none, set) {
    const { calendars } = this.known;
    const names = value && !calendars.includes(value) ? [value, ...calendars] : calendars;
    return this.select(
      pointer,
      label,
      value,
      [["", none], ...names.map((name) => [name, name])],
      (name) => set(name || undefined),
      calendars.length ? undefined : NONE_YET,
    );
  }

  target(pointer, label, value, set, hint) {
    return this.text(pointer, label, value, set, { mono: true, list: "targets", hint });
  }

  /** Choices that are explained where they are made: `[option, word, says]`. */
  choices(legend, name, value, choices, set, more = nothing) {
    const wrong = this.error("/" + name);
    return html`<fieldset class="panel picks">
      <legend>${legend}</legend>
      <div class="pick">
        ${choices.map(([option, word, says]) => html`<label class=${option === value ? "on" : ""}><input type="radio" name=${name} value=${option} .checked=${option === value} @change=${() => set(option)} /> <b>${word}</b><span>${says}</span></label>`)}
      </div>
      ${wrong ? html`<span class="field-error">${wrong}</span>` : nothing}${more}
    </fieldset>`;
  }
}

adopt(css`
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(190px, 1fr));
    gap: 10px 12px;
  }
  .field:has(> #edit-description) {
    grid-column: 1 / -1;
  }
  @media (min-width: 1001px) {
    .field:has(> :is(#edit-calendar-roll, #edit-calendar-outsideHours)) {
      grid-column: span 2;
    }
  }
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
    align-content: start;
    overflow-wrap: anywhere;
  }
  .field textarea {
    resize: vertical;
  }
  .hint {
    font-size: 12px;
  }
  .hint a {
    text-decoration: underline;
  }
  .fields + .fields,
  .pick + .fields {
    margin-top: 12px;
  }
  .picks {
    margin: 0;
    min-width: 0;
  }
  .picks legend {
    font-size: 12px;
    font-weight: 600;
    color: var(--soft);
    float: left;
    width: 100%;
    margin-bottom: 10px;
    padding: 0;
  }
  .pick {
    clear: both;
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(112px, 1fr));
    gap: 8px;
  }
  .pick label {
    border: 1px solid var(--line);
    border-radius: 6px;
    padding: 8px 10px;
    display: block;
    cursor: pointer;
  }
  .pick label.on {
    border-color: var(--accent);
    background: var(--accent-bg);
  }
  .pick b {
    color: var(--ink);
    font-size: 13.5px;
    margin-left: 2px;
  }
  .pick span {
    display: block;
  }
  .pick label.on span {
    color: var(--ink);
  }
`);
