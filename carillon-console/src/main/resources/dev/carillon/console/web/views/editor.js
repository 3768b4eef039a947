// Makes a schedule, or a new version of one: timing by form or text with its words and next fires, rules explained where they
// are chosen, and what saving would change. Nothing is stored before it is saved.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { apiUrl } from "../app/address.js";
import { ifMay, perform, toast } from "../app/actions.js";
import { href, router } from "../app/router.js";
import { session } from "../app/session.js";
import { moment } from "../app/time.js";
import { curl, java, yaml } from "../parts/definition-texts.js";
import { emptyState, failureState } from "../parts/empty-state.js";
import { savingChanges } from "../parts/saving-changes.js";
import { definition } from "../parts/schedule-actions.js";
import { CATCH_UP_CHOICES, OVERLAP_CHOICES, ROLL_CHOICES, catchUpMode } from "../parts/schedule-words.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { TIMING_KINDS, followsCalendar, kindOf } from "../parts/timing-kinds.js";
import "../parts/answer-box.js";
import "../parts/cron-builder.js";

const REST = 350;
const FIRES = 7;
const ZONES = Intl.supportedValuesOf?.("timeZone") ?? [];
const UNNAMED = "a-new-schedule";
const fresh = () => ({ target: "", timing: TIMING_KINDS[0][2](), tags: [] });

class EditorView extends CarillonElement {
  static properties = { params: { attribute: false }, draft: { state: true }, payload: { state: true }, key: { state: true }, dryRun: { state: true }, timing: { state: true }, problem: { state: true }, tried: { state: true }, failure: { state: true }, known: { state: true }, copied: { state: true }, busy: { state: true } };
  #timer;
  #asked = 0;
  #version;

  willUpdate(changed) {
    const before = changed.get("params");
    if (changed.has("params") && (!before || before.key !== this.params.key)) this.#open();
  }

  async #open() {
    this.draft = this.dryRun = this.timing = this.problem = this.failure = this.copied = undefined;
    this.tried = false;
    const { key } = this.params;
    const signal = this.signal;
    try {
      const [schedule, targets, calendars, quietHours] = await Promise.all([key ? api.get(api.path`schedules/${key}`, { signal }) : undefined, ...["targets", "calendars", "quiet-hours"].map((path) => api.get(path, { query: { limit: 500 }, signal }))]);
      this.known = { targets: targets.items.map((one) => one.label), calendars: calendars.items.map((one) => one.name), zones: new Map(calendars.items.map((one) => [one.name, one.zone])), quietHours: quietHours.items.map((one) => one.name) };
      const { payload = {}, ...rest } = schedule ? definition(schedule) : fresh();
      this.#version = schedule?.version;
      [this.key, this.draft, this.payload] = [key ?? "", rest, JSON.stringify(payload, null, 2)];
      router.title(key ? `Edit ${key}` : "New schedule");
      this.#ask();
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #set(change) {
    this.draft = Object.fromEntries(Object.entries({ ...this.draft, ...change }).filter(([, value]) => value !== undefined && value !== ""));
    this.#later();
  }

  #setTiming(change) {
    this.#set({ timing: { ...this.draft.timing, ...change } });
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.isConnected && this.#ask(), REST);
  }

  #whole() {
    return { ...this.draft, target: this.draft.target ?? "", payload: this.payload.trim() ? JSON.parse(this.payload) : {} };
  }

  get #payloadMistake() {
    try {
      const value = this.payload.trim() ? JSON.parse(this.payload) : {};
      return value && typeof value === "object" && !Array.isArray(value) ? "" : "must be a JSON object";
    } catch (wrong) {
      return `is no JSON: ${wrong.message}`;
    }
  }

  async #ask() {
    const asked = ++this.#asked;
    const mine = () => asked === this.#asked;
    const signal = this.signal;
    const { timing, calendar, quietHours, target } = this.draft;
    const askable = target && !this.#payloadMistake;
    if (!askable) this.dryRun = this.problem = undefined;
    const explain = api.post("timings/explain", { timing, count: FIRES, calendar, quietHours }, { signal }).then(
      (answer) => mine() && (this.timing = answer),
      (failure) => {
        if (isAbort(failure) || !mine()) return;
        this.timing = undefined;
        if (!askable) this.problem = failure;
      },
    );
    if (!askable) return explain;
    try {
      const answer = await api.put(api.path`schedules/${this.key || UNNAMED}`, this.#whole(), { query: { dryRun: true }, signal });
      if (mine()) [this.dryRun, this.problem] = [answer, undefined];
    } catch (failure) {
      if (!isAbort(failure) && mine()) [this.dryRun, this.problem] = [undefined, failure];
    }
    await explain;
  }

  async #save(event) {
    event.preventDefault();
    this.tried = true;
    if (this.busy || !this.key || !this.draft.target || this.#payloadMistake) {
      this.updateComplete.then(() => this.querySelector('[aria-invalid="true"]')?.focus());
      return;
    }
    this.busy = true;
    const { key } = this;
    const before = this.#version;
    try {
      const saved = await api.put(api.path`schedules/${key}`, this.#whole(), { headers: before ? { "If-Match": `"${before}"` } : { "If-None-Match": "*" }, signal: this.signal });
      const undo = !before ? () => api.delete(api.path`schedules/${key}`) : saved.version !== before ? () => api.post(api.path`schedules/${key}/rollback`, { version: before }) : undefined;
      toast(saved.version === before ? "Nothing differs: nothing was stored." : `Version ${saved.version} of ${key} is stored.`, { undo: undo && (() => perform({ work: undo, done: "Taken back." })) });
      router.open("schedule", { key });
    } catch (failure) {
      if (!isAbort(failure)) {
        this.problem = failure.status === 412 ? Object.assign(failure, { message: before ? "Somebody changed it meanwhile. Open it again to see how; your text is still here to copy." : "There is a schedule with that key." }) : failure;
        this.updateComplete.then(() => this.querySelector('[aria-invalid="true"], .editor-problem')?.focus?.());
      }
    }
    this.busy = false;
  }

  #shown = [];

  #error(pointer) {
    this.#shown.push(pointer);
    if (pointer === "/payload" && this.#payloadMistake) return this.#payloadMistake;
    if (this.tried && pointer === "/key" && !this.key) return "say how it is called";
    if (this.tried && pointer === "/target" && !this.draft.target) return "say what is run";
    const errors = this.problem?.errors ?? [];
    return errors.filter((error) => error.pointer === pointer || (pointer.split("/").length > 1 && error.pointer?.startsWith(pointer + "/"))).map((error) => error.message).join("; ");
  }

  #field(pointer, label, input, hint) {
    const id = "edit" + pointer.replaceAll("/", "-");
    const wrong = this.#error(pointer);
    return html`<div class="field"><label for=${id}>${label}</label>${input(id, wrong ? "true" : nothing, wrong || hint ? id + "-says" : nothing)}${wrong ? html`<span class="field-error" id=${id + "-says"}>${wrong}</span>` : hint ? html`<span class="faint hint" id=${id + "-says"}>${hint}</span>` : nothing}</div>`;
  }

  #text(pointer, label, value, set, { hint, mono, list, placeholder, type = "text", disabled } = {}) {
    return this.#field(pointer, label, (id, invalid, says) => html`<input id=${id} type=${type} class=${mono ? "mono" : ""} autocomplete="off" spellcheck="false" list=${list ?? nothing} placeholder=${placeholder ?? ""} ?readonly=${disabled} aria-invalid=${invalid} aria-describedby=${says} .value=${value ?? ""} @input=${(event) => set(event.target.value.trim())} />`, hint);
  }

  #select(pointer, label, value, options, set, hint) {
    return this.#field(pointer, label, (id, invalid, says) => html`<select id=${id} aria-invalid=${invalid} aria-describedby=${says} @change=${(event) => set(event.target.value)}>${options.map(([option, word]) => html`<option value=${option} ?selected=${option === (value ?? "")}>${word}</option>`)}</select>`, hint);
  }

  #when() {
    const { timing } = this.draft;
    const kind = kindOf(timing);
    return html`<section class="panel" aria-label="When"><h2>When</h2>
      <div class="seg" role="group" aria-label="Kind of timing">${TIMING_KINDS.map(([name, word, make]) => html`<button type="button" aria-pressed=${name === kind ? "true" : "false"} @click=${() => name !== kind && this.#set({ timing: make(this.known.calendars[0] ?? "") })}>${word}</button>`)}</div>
      ${kind === "cron" ? html`<cron-builder .expression=${timing.cron} .build=${(cron) => this.#setTiming({ cron })}></cron-builder>` : nothing}
      <div class="fields">
        ${kind === "cron" ? this.#text("/timing/cron", "expression", timing.cron, (cron) => this.#setTiming({ cron }), { mono: true }) : nothing}
        ${kind === "every" ? this.#text("/timing/every", "every", timing.every, (every) => this.#setTiming({ every }), { mono: true, hint: "PT30S, PT15M, P1D, P1M, or 15m" }) : nothing}
        ${kind === "at" ? this.#text("/timing/at", "at (UTC)", timing.at, (at) => this.#setTiming({ at }), { mono: true, hint: "2026-12-24T18:00:00Z" }) : nothing}
        ${followsCalendar(timing) ? this.#byCalendar(kind, timing) : nothing}
        ${kind === "every" ? this.#select("/timing/after", "counted", timing.after ?? "", [["", "from the last slot"], ["finish", "from the end of the last run"]], (after) => this.#set({ timing: { ...timing, after: after || undefined } })) : this.#text("/timing/zone", "zone", timing.zone, (zone) => this.#setTiming({ zone: zone || undefined }), { list: "zones", hint: followsCalendar(timing) ? "that of the calendar if empty" : "the clock it is read on" })}
        ${this.#select("/calendar", "calendar", this.draft.calendar?.name, [["", "none: every day counts"], ...this.known.calendars.map((name) => [name, name])], (name) => this.#set({ calendar: name ? { roll: "following", ...this.draft.calendar, name } : undefined }), this.known.calendars.length ? undefined : "there are none yet")}
        ${this.draft.calendar ? this.#select("/calendar/roll", "on a day off", this.draft.calendar.roll, ROLL_CHOICES, (roll) => this.#set({ calendar: { ...this.draft.calendar, roll } })) : nothing}
        ${this.#select("/quietHours", "quiet hours", this.draft.quietHours, [["", "none of its own"], ...this.known.quietHours.map((name) => [name, name])], (quietHours) => this.#set({ quietHours }), this.known.quietHours.length ? undefined : "there are none yet")}
        ${this.#text("/jitter", "jitter", this.draft.jitter === "PT0S" ? "" : this.draft.jitter, (jitter) => this.#set({ jitter }), { mono: true, placeholder: "none", hint: "spreads slots that many share, such as PT30S" })}
      </div>
      <datalist id="zones">${ZONES.map((zone) => html`<option value=${zone}></option>`)}</datalist><datalist id="targets">${this.known.targets.map((label) => html`<option value=${label}></option>`)}</datalist>
      <div class="says" role="status">${this.timing ? html`<b>${this.timing.description}</b>` : html`<span class="faint">The words come when the timing can be read.</span>`}</div>
      ${this.timing ? this.#strip() : nothing}
      ${[...(this.dryRun?.warnings ?? this.timing?.warnings ?? [])].map((warning) => html`<div class="lint">${warning.message}</div>`)}</section>`;
  }

  /* What only a timing that follows a calendar has. */
  #byCalendar(kind, timing) {
    const { calendars } = this.known;
    const set = (field) => (value) => this.#setTiming({ [field]: value });
    const whole = (field) => (value) => this.#setTiming({ [field]: value === "" ? "" : Number(value) });
    const parts = {
      businessDay: () => html`${this.#text("/timing/businessDay", "business day of the month", timing.businessDay, whole("businessDay"), { type: "number", hint: "-1 is the last" })}${this.#text("/timing/time", "at", timing.time, set("time"), { type: "time" })}`,
      hours: () => html`${this.#select("/timing/at", "when its hours", timing.at, [["open", "open"], ["close", "close"]], set("at"))}${this.#text("/timing/offset", "so much later", timing.offset, (offset) => this.#setTiming({ offset: offset || undefined }), { mono: true, placeholder: "at once", hint: "PT15M, or -PT15M for earlier" })}`,
      businessDaysAfter: () => html`${this.#text("/timing/businessDaysAfter", "business days after", timing.businessDaysAfter, whole("businessDaysAfter"), { type: "number", hint: "before it if negative" })}${this.#text("/timing/date", "date", timing.date, set("date"), { type: "date" })}${this.#text("/timing/time", "at", timing.time, set("time"), { type: "time" })}`,
    };
    return html`${parts[kind]()}${this.#select("/timing/calendar", "of the calendar", timing.calendar, [...(calendars.includes(timing.calendar) ? [] : [[timing.calendar, timing.calendar || "choose one"]]), ...calendars.map((name) => [name, name])], set("calendar"), calendars.length ? undefined : "there are none yet")}`;
  }

  get #zone() {
    const { timing } = this.draft;
    return timing.zone ?? (followsCalendar(timing) ? this.known.zones.get(timing.calendar) : undefined) ?? "UTC";
  }

  #strip() {
    const zone = this.#zone;
    const says = (fire) => [fire.note, fire.obstacle ? `no run: ${fire.obstacle}` : fire.dueAt !== fire.slot ? `moved to ${moment(fire.dueAt, { zone })}` : undefined].filter(Boolean);
    return html`<ol class="strip" aria-label="Next fires">${this.timing.fires.map((fire) => html`<li class=${says(fire).length ? "noted" : ""} title=${fire.moves.map((move) => move.because).join("; ")}><time datetime=${fire.slot}>${moment(fire.slot, { zone })}</time>${says(fire).map((text) => html`<span>${text}</span>`)}</li>`)}${this.timing.fires.length ? nothing : html`<li class="faint">never</li>`}</ol>`;
  }

  #picks(legend, name, value, choices, set, pointer) {
    const wrong = this.#error(pointer);
    return html`<fieldset class="panel picks"><legend>${legend}</legend><div class="pick">${choices.map(([option, word, says]) => html`<label class=${option === value ? "on" : ""}><input type="radio" name=${name} value=${option} .checked=${option === value} @change=${() => set(option)} /> <b>${word}</b><span>${says}</span></label>`)}</div>${wrong ? html`<span class="field-error">${wrong}</span>` : nothing}</fieldset>`;
  }

  #number(pointer, label, value, set, hint) {
    return this.#text(pointer, label, value, (text) => set(text === "" ? undefined : Number(text)), { type: "number", hint });
  }

  #failing() {
    const { retry = {} } = this.draft;
    return html`<section class="panel" aria-label="If it fails"><h2>If it fails</h2><div class="fields">
      ${this.#number("/retry/attempts", "attempts", retry.attempts, (attempts) => this.#set({ retry: attempts ? { ...retry, attempts } : undefined }), "then it is a dead letter")}
      ${this.#text("/retry/backoff", "first pause between them", retry.backoff, (backoff) => this.#set({ retry: { ...retry, backoff: backoff || undefined } }), { mono: true, hint: "twice as long each time" })}
      ${this.#text("/timeout", "an attempt takes at most", this.draft.timeout, (timeout) => this.#set({ timeout }), { mono: true, placeholder: "no limit", hint: "such as PT10M" })}
      ${this.#number("/pauseAfterFailures", "pause after failures in a row", this.draft.pauseAfterFailures, (pauseAfterFailures) => this.#set({ pauseAfterFailures }), "empty: never")}
    </div></section>`;
  }

  #payloadPanel() {
    const expanded = this.dryRun?.expandedPayload;
    return html`<section class="panel" aria-label="Payload"><h2>Payload</h2>
      ${this.#field("/payload", "JSON that the target gets", (id, invalid, says) => html`<textarea id=${id} class="mono" rows="7" spellcheck="false" aria-invalid=${invalid} aria-describedby=${says} .value=${this.payload} @input=${(event) => ((this.payload = event.target.value), this.#later())}></textarea>`)}
      <label class="check"><input type="checkbox" id="edit-template" .checked=${!!this.draft.template} @change=${(event) => this.#set({ template: event.target.checked || undefined })} /> fill in placeholders such as \${slot:yyyy-MM-dd}</label>
      ${expanded ? html`<p class="soft">The next run gets <span class="mono expanded">${JSON.stringify(expanded)}</span></p>` : nothing}</section>`;
  }

  async #copy(name, make) {
    const text = make();
    this.copied = { name, text };
    try {
      await navigator.clipboard.writeText(text);
      toast(`Copied as ${name}.`);
    } catch {
      toast("The browser lets nothing be copied; the text is below.", { tone: "skip" });
    }
  }

  #elsewhere() {
    const usable = !this.#payloadMistake;
    const key = this.key || UNNAMED;
    const button = (name, make) => html`<button type="button" ?disabled=${!usable} @click=${() => this.#copy(name, make)}>Copy as ${name}</button> `;
    return html`<section class="panel" aria-label="Take it elsewhere"><h2>Take it elsewhere</h2><div class="copies">${button("YAML", () => yaml(key, this.#whole()))}${button("curl", () => curl(key, this.#whole(), apiUrl("").href))}${button("Java", () => java(key, this.#whole()))}</div>
      ${this.copied ? html`<pre class="mono copied" tabindex="0" aria-label=${"As " + this.copied.name}>${this.copied.text}</pre>` : nothing}</section>`;
  }

  #effect() {
    const zone = this.#zone;
    return html`<section class="why" aria-label="What saving changes"><b>What saving changes in the next 30 days</b>${this.dryRun ? (this.dryRun.result === "unchanged" ? html`<p>Nothing: it is as it was.</p>` : savingChanges(this.dryRun, zone)) : html`<p>${this.draft.target ? "To be seen when the mistakes are mended." : "Say what is run, to see it."}</p>`}</section>`;
  }

  render() {
    if (!session.may("editor")) return html`<div class="panel">${emptyState("Changing schedules needs the role editor.", `Yours is ${session.me?.role}.`, html`<a class="btn" href=${href("schedules")}>To the schedules</a>`)}</div>`;
    if (this.failure) return html`<div class="panel">${failureState(this.failure, () => this.#open())}</div>`;
    if (!this.draft) return skeleton(10);
    this.#shown = [];
    const editing = this.#version !== undefined;
    const next = this.dryRun?.version ?? (this.#version ?? 0) + 1;
    const body = html`<div class="grid cols-21"><div class="grid">
        <section class="panel" aria-label="What"><h2>What</h2><div class="fields">
          ${this.#text("/key", "key", this.key, (key) => ((this.key = key), this.#later()), { mono: true, disabled: editing, hint: editing ? "stays as it is" : "such as nightly-report" })}
          ${this.#text("/target", "target", this.draft.target, (target) => this.#set({ target }), { mono: true, list: "targets", hint: "what is run" })}
          ${this.#text("/description", "description", this.draft.description, (description) => this.#set({ description }))}
          ${this.#text("/tags", "tags", (this.draft.tags ?? []).join(", "), (tags) => this.#set({ tags: tags.split(",").map((tag) => tag.trim()).filter(Boolean) }), { hint: "with commas between" })}</div></section>
        ${this.#when()}
        ${this.#picks("If it is still running when the next slot comes", "overlap", this.draft.overlap ?? "skip", OVERLAP_CHOICES, (overlap) => this.#set({ overlap, queueLimit: undefined }), "/overlap")}
        ${this.#picks("After an outage", "catchUp", this.draft.catchUp ? catchUpMode(this.draft.catchUp) : kindOf(this.draft.timing) === "every" ? "skip" : "once", CATCH_UP_CHOICES, (mode) => this.#set({ catchUp: { ...this.draft.catchUp, mode } }), "/catchUp")}
        ${this.#failing()}</div>
      <div class="grid">${this.#effect()}${this.#payloadPanel()}${this.#elsewhere()}</div></div>`;
    const rest = (this.problem?.errors ?? []).filter((error) => !this.#shown.some((pointer) => error.pointer === pointer || error.pointer?.startsWith(pointer + "/"))).map((error) => error.message);
    const other = this.problem && !this.problem.errors?.length ? this.problem.message : rest.join("; ");
    return html`<form class="editor" novalidate @submit=${(event) => this.#save(event)}>
      <div class="top"><div><h1>${editing ? html`Edit <span class="mono-key">${this.key}</span>` : "New schedule"}</h1><div class="soft">${editing ? (this.dryRun?.result === "unchanged" ? `version ${this.#version}, unchanged` : `will become version ${next}`) : "will be version 1"} · nothing is stored until you save</div></div><span class="grow"></span>
        <a class="btn" href=${editing ? href("schedule", { key: this.key }) : href("schedules")}>Cancel</a> ${ifMay("editor", () => html`<button class="primary" ?disabled=${this.busy}>Save version ${next}</button>`)}</div>
      ${other ? html`<p class="field-error editor-problem" role="alert" tabindex="-1">${other}</p>` : nothing}
      ${body}</form>`;
  }
}
customElements.define("editor-view", EditorView);

adopt(css`
  .editor .grid { align-content: start; } .fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 10px 12px; } .field { display: grid; gap: 4px; align-content: start; } .hint { font-size: 12px; } .mono-key { overflow-wrap: anywhere; } .editor .top > div { min-width: 0; }
  .seg { display: inline-flex; flex-wrap: wrap; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; margin-bottom: 12px; } .seg button { border: 0; border-radius: 0; color: var(--soft); padding: 4px 14px; } .seg button[aria-pressed="true"] { background: var(--accent-bg); color: var(--accent); font-weight: 550; }
  .says { margin: 14px 0 8px; font-size: 15px; } .strip { list-style: none; display: flex; gap: 4px; padding: 0; margin: 0 0 8px; overflow-x: auto; font-size: 12px; color: var(--soft); } .strip li { flex: 1 0 84px; text-align: center; padding-top: 16px; position: relative; border-top: 1px solid var(--line); margin-top: 8px; } .strip li::before { content: ""; position: absolute; top: -6px; left: calc(50% - 6px); width: 11px; height: 11px; border-radius: 50%; background: var(--panel); border: 2px solid var(--accent); } .strip .noted::before { border-color: var(--skip); border-style: dashed; } .strip span { display: block; color: var(--skip); }
  .picks { margin: 0; min-width: 0; } .picks legend { font-size: 12px; font-weight: 600; color: var(--soft); float: left; width: 100%; margin-bottom: 10px; padding: 0; } .pick { clear: both; display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 8px; } .pick label { border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; display: block; cursor: pointer; } .pick label.on { border-color: var(--accent); background: var(--accent-bg); } .pick b { color: var(--ink); font-size: 13.5px; } .pick span { display: block; } .pick label.on span { color: var(--ink); }
  .check { display: flex; gap: 8px; align-items: center; margin-top: 8px; font-size: 13px; } .copies { display: flex; gap: 8px; flex-wrap: wrap; } .copied { background: var(--sunken); padding: 10px; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; margin: 10px 0 0; } .expanded { overflow-wrap: anywhere; } .lint { background: var(--skip-bg); border-radius: 6px; padding: 6px 10px; margin-top: 6px; }
`);
