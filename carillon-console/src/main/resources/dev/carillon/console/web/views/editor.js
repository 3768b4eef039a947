// Makes a schedule, or a new version of one: timing by form or text with its words and next fires, rules explained where they
// are chosen, and what saving would change. Nothing is stored before it is saved.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { ApiError, api, isAbort } from "../app/api.js";
import { apiUrl } from "../app/address.js";
import { perform, toast } from "../app/actions.js";
import { parseExact } from "../app/exact-json.js";
import { writeJson } from "../app/json.js";
import { href, router } from "../app/router.js";
import { session } from "../app/session.js";
import { codeBlock } from "../parts/code-block.js";
import { curl, java, yaml } from "../parts/definition-texts.js";
import { emptyState, failureState } from "../parts/empty-state.js";
import { savingChanges } from "../parts/saving-changes.js";
import { definition } from "../parts/schedule-actions.js";
import { isOver } from "../parts/schedule-words.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { TIMING_KINDS } from "../parts/timing-kinds.js";
import "../parts/answer-box.js";
import { Form } from "./editor/form.js";
import { bounds, catchUpRule, failureRules, overlapRule, promises } from "./editor/rules.js";
import { whenPanel, zoneOfDraft } from "./editor/when.js";

const REST = 350;
const FIRES = 7;
const UNNAMED = "a-new-schedule";
const fresh = () => ({ target: "", timing: TIMING_KINDS[0][2](), tags: [] });

class EditorView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    draft: { state: true },
    payload: { state: true },
    key: { state: true },
    dryRun: { state: true },
    timing: { state: true },
    problem: { state: true },
    conflict: { state: true },
    tried: { state: true },
    failure: { state: true },
    known: { state: true },
    copied: { state: true },
    busy: { state: true },
  };
  #timer;
  #asked = 0;
  #version;
  #retired = false;
  #timings;
  #unsaved = false;
  #place;

  connectedCallback() {
    super.connectedCallback();
    this.listen(
      (event) => this.draft && event.type.startsWith("schedule.") && event.data.schedule === this.key && this.#later(),
    );
    this.whenBack(() => this.draft && this.#later());
    addEventListener("pagehide", () => this.#keep(), { signal: this.signal });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#keep();
  }

  /* What is not saved waits in this tab for whoever comes back to it. */
  #keep() {
    if (!this.#place || !session.me) return;
    if (this.#unsaved)
      sessionStorage.setItem(this.#place, JSON.stringify([this.#version, this.key, this.draft, this.payload]));
    else sessionStorage.removeItem(this.#place);
  }

  #startAnew() {
    this.#unsaved = false;
    this.#open();
  }

  willUpdate(changed) {
    const before = changed.get("params");
    if (changed.has("params") && (!before || before.key !== this.params.key)) this.#open();
  }

  async #open() {
    this.#keep();
    this.#place = undefined;
    this.draft = this.dryRun = this.timing = this.problem = this.conflict = this.failure = this.copied = undefined;
    this.tried = this.#unsaved = false;
    this.#timings = {};
    const { key } = this.params;
    const place = `editor ${session.me.name} ${key ?? ""}`;
    const signal = this.signal;
    try {
      const [schedule, targets, calendars, quietHours] = await Promise.all([
        key ? api.get(api.path`schedules/${key}`, { signal }) : undefined,
        ...["targets", "calendars", "quiet-hours"].map((path) => api.get(path, { query: { limit: 500 }, signal })),
      ]);
      this.known = {
        targets: targets.items.map((one) => one.label),
        calendars: calendars.items.map((one) => one.name),
        zones: new Map(calendars.items.map((one) => [one.name, one.zone])),
        quietHours: quietHours.items.map((one) => one.name),
      };
      const { payload = {}, ...rest } = schedule ? definition(schedule) : fresh();
      this.#version = schedule?.version;
      this.#retired = !!schedule && isOver(schedule);
      [this.key, this.draft, this.payload] = [key ?? "", rest, writeJson(payload)];
      const left = sessionStorage.getItem(place);
      if (left) {
        const [version, ...fields] = JSON.parse(left);
        this.#version = version ?? undefined;
        [this.key, this.draft, this.payload] = fields;
        this.#unsaved = true;
        toast("What you had not saved is here again.", { undo: () => this.isConnected && this.#startAnew() });
      }
      this.#place = place;
      router.title(key ? `Edit ${key}` : "New schedule");
      this.#ask();
      await this.updateComplete;
      if (!key) this.querySelector("#edit-key")?.focus();
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #set(change) {
    this.draft = Object.fromEntries(
      Object.entries({ ...this.draft, ...change }).filter(([, value]) => value !== undefined && value !== ""),
    );
    this.#touched();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.isConnected && this.#ask(), REST);
  }

  #whole() {
    return {
      ...this.draft,
      target: this.draft.target ?? "",
      payload: this.payload.trim() ? parseExact(this.payload) : {},
    };
  }

  get #payloadMistake() {
    try {
      const value = this.payload.trim() ? parseExact(this.payload) : {};
      return value && typeof value === "object" && !Array.isArray(value) ? "" : "must be a JSON object";
    } catch (wrong) {
      return `is no JSON: ${wrong.message}`;
    }
  }

  /* What must still be so when it is saved: the version that is edited, or that there is none. What is retired has no version. */
  get #condition() {
    if (this.#retired) return {};
    return this.#version ? { "If-Match": `"${this.#version}"` } : this.key ? { "If-None-Match": "*" } : {};
  }

  #touched() {
    this.copied = undefined;
    this.#unsaved = true;
    this.#later();
  }

  async #ask() {
    const asked = ++this.#asked;
    const mine = () => asked === this.#asked;
    const signal = this.signal;
    const { timing, calendar, quietHours, target } = this.draft;
    const askable = session.may("editor") && target && !this.#payloadMistake;
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
      const answer = await api.put(api.path`schedules/${this.key || UNNAMED}`, this.#whole(), {
        query: { dryRun: true },
        headers: this.#condition,
        signal,
      });
      if (mine()) [this.dryRun, this.problem, this.conflict] = [answer, undefined, false];
    } catch (failure) {
      if (!isAbort(failure) && mine()) this.#refused(failure);
    }
    await explain;
  }

  #refused(failure) {
    this.dryRun = undefined;
    if (failure.status !== 412) this.problem = failure;
    else if (this.#version) [this.conflict, this.problem] = [true, undefined];
    else
      this.problem = new ApiError(412, {
        errors: [
          { pointer: "/key", message: "there is, or was, a schedule with that key; choose another, or edit that one" },
        ],
      });
  }

  /* Goes on from the version that somebody else made, with the fields as they are here. */
  async #goOn() {
    await perform({
      work: async () => {
        this.#version = (await api.get(api.path`schedules/${this.key}`, { signal: this.signal })).version;
        await this.#ask();
      },
      done: () => `Saving replaces version ${this.#version} now.`,
    });
  }

  async #save(event) {
    event.preventDefault();
    this.tried = true;
    const mistaken = () =>
      this.updateComplete.then(() => this.querySelector('[aria-invalid="true"], .editor-problem')?.focus());
    if (this.busy || !this.key || !this.draft.target || this.#payloadMistake) return void mistaken();
    this.busy = true;
    clearTimeout(this.#timer);
    const { key } = this;
    const before = this.#version;
    try {
      const saved = await api.put(api.path`schedules/${key}`, this.#whole(), {
        headers: this.#condition,
        signal: this.signal,
      });
      const undo = !before
        ? () => api.delete(api.path`schedules/${key}`)
        : saved.version !== before
          ? () => api.post(api.path`schedules/${key}/rollback`, { version: before })
          : undefined;
      toast(
        saved.version === before
          ? "Nothing differs: nothing was stored."
          : `Version ${saved.version} of ${key} is stored.`,
        { undo: undo && (() => perform({ work: undo, done: "Taken back." })) },
      );
      this.#unsaved = false;
      router.open("schedule", { key });
    } catch (failure) {
      if (!isAbort(failure)) {
        this.#refused(failure);
        mistaken();
      }
    }
    this.busy = false;
  }

  #errorAt(pointer, deep) {
    if (pointer === "/payload" && this.#payloadMistake) return this.#payloadMistake;
    if (this.tried && pointer === "/key" && !this.key) return "say how it is called";
    if (this.tried && pointer === "/target" && !this.draft.target) return "say what is run";
    return (this.problem?.errors ?? [])
      .filter((error) => error.pointer === pointer || (deep && error.pointer?.startsWith(pointer + "/")))
      .map((error) =>
        error.pointer === pointer ? error.message : `${error.pointer.slice(pointer.length)} ${error.message}`,
      )
      .join("; ");
  }

  #what(form) {
    const editing = this.#version !== undefined;
    return html`<section class="panel" aria-label="What">
      <h2>What</h2>
      <div class="fields">
        ${form.text("/key", "key", this.key, (key) => ((this.key = key), this.#touched()), { mono: true, disabled: editing, hint: editing ? "stays as it is" : "such as nightly-report" })}
        ${form.target("/target", "target", this.draft.target, (target) => this.#set({ target }), "what is run")}
        ${form.text(
          "/tags",
          "tags",
          (this.draft.tags ?? []).join(", "),
          (tags) =>
            this.#set({
              tags: tags
                .split(",")
                .map((tag) => tag.trim())
                .filter(Boolean),
            }),
          { hint: "with commas between", deep: true },
        )}
      </div>
      ${form.lines("/description", "description", this.draft.description, (description) => this.#set({ description }), { rows: 2 })}
      <datalist id="targets">${this.known.targets.map((label) => html`<option value=${label}></option>`)}</datalist>
    </section>`;
  }

  #payloadPanel(form) {
    const expanded = this.dryRun?.expandedPayload;
    return html`<section class="panel" aria-label="Payload">
      <h2>Payload</h2>
      ${form.lines("/payload", "JSON that the target gets", this.payload, (payload) => ((this.payload = payload), this.#touched()), { rows: 7, mono: true, deep: true })}
      <label class="check"
        ><input
          type="checkbox"
          id="edit-template"
          .checked=${!!this.draft.template}
          @change=${(event) => this.#set({ template: event.target.checked || undefined })}
        />
        fill in placeholders such as \${slot:yyyy-MM-dd}</label
      >
      ${
        expanded
          ? html`<p class="soft">The next run gets</p>
              <div class="expanded">${codeBlock(JSON.stringify(expanded), "The payload of the next run")}</div>`
          : nothing
      }
    </section>`;
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
    const button = (name, make) =>
      html`<button type="button" ?disabled=${!usable} @click=${() => this.#copy(name, make)}>Copy as ${name}</button> `;
    return html`<section class="panel" aria-label="Take it elsewhere">
      <h2>Take it elsewhere</h2>
      <div class="copies">
        ${button("YAML", () => yaml(key, this.#whole()))}${button("curl", () => curl(key, this.#whole(), apiUrl("").href))}${button("Java", () => java(key, this.#whole()))}
      </div>
      ${this.copied ? html`<div class="copied">${codeBlock(this.copied.text, "As " + this.copied.name)}</div>` : nothing}
    </section>`;
  }

  #effect(form) {
    const why = !this.draft.target
      ? "Say what is run, to see it."
      : this.conflict
        ? "To be seen when it is clear which version is changed."
        : "To be seen when the mistakes are mended.";
    return html`<section class="why" aria-label="What saving changes">
      <b>What saving changes in the next 30 days</b
      >${this.dryRun ? (this.dryRun.result === "unchanged" ? html`<p>Nothing: it is as it was.</p>` : savingChanges(this.dryRun, zoneOfDraft(form))) : html`<p>${why}</p>`}
    </section>`;
  }

  #conflict() {
    if (!this.conflict) return nothing;
    return html`<div class="lint editor-problem" role="alert" tabindex="-1">
      <b>Somebody changed it meanwhile.</b> Nothing of yours is lost: look at
      <a class="link" target="_blank" href=${href("schedule", { key: this.key })}>what it is now</a>, then go on with
      your text, or start again from theirs.
      <span class="copies"
        ><button type="button" class="small" @click=${() => this.#goOn()}>Go on with mine</button>
        <button type="button" class="small" @click=${() => this.#startAnew()}>Start from theirs</button></span
      >
    </div>`;
  }

  render() {
    if (!session.may("editor"))
      return html`<div class="panel">
        ${emptyState("Changing schedules needs the role editor.", `Yours is ${session.me?.role}.`, html`<a class="btn" href=${href("schedules")}>To the schedules</a>`)}
      </div>`;
    if (this.failure) return html`<div class="panel">${failureState(this.failure, () => this.#open())}</div>`;
    if (!this.draft) return skeleton(10);
    const form = new Form({
      draft: this.draft,
      known: this.known,
      timings: this.#timings,
      errorAt: (pointer, deep) => this.#errorAt(pointer, deep),
      set: (change) => this.#set(change),
    });
    const editing = this.#version !== undefined;
    const next = this.dryRun?.version ?? (this.#version ?? 0) + 1;
    const body = html`<div class="grid cols-21">
      <div class="grid">
        ${this.#what(form)}${whenPanel(form, this.timing, this.dryRun?.warnings ?? this.timing?.warnings ?? [])}${overlapRule(form)}${catchUpRule(form)}${failureRules(form)}${promises(form)}${bounds(form)}
      </div>
      <div class="grid">${this.#effect(form)}${this.#payloadPanel(form)}${this.#elsewhere()}</div>
    </div>`;
    const rest = (this.problem?.errors ?? [])
      .filter((error) => !form.shows(error.pointer))
      .map((error) => `${error.pointer ?? ""} ${error.message}`.trim());
    const other = this.problem && !this.problem.errors?.length ? this.problem.message : rest.join("; ");
    return html`<form class="editor" novalidate @submit=${(event) => this.#save(event)}>
      <div class="top">
        <div>
          <h1>${editing ? html`Edit <span class="mono-key">${this.key}</span>` : "New schedule"}</h1>
          <div class="soft">
            ${editing ? (this.dryRun?.result === "unchanged" ? `version ${this.#version}, unchanged` : `will become version ${next}`) : "will be version 1"}
            · nothing is stored until you save
          </div>
        </div>
        <span class="grow"></span>
        <a
          class="btn"
          href=${editing ? href("schedule", { key: this.key }) : href("schedules")}
          @click=${() => (this.#unsaved = false)}
          >Cancel</a
        >
        <button class="primary" ?disabled=${this.busy}>Save version ${next}</button>
      </div>
      ${this.#conflict()}${other ? html`<p class="field-error editor-problem" role="alert" tabindex="-1">${other}</p>` : nothing}
      ${body}
    </form>`;
  }
}
customElements.define("editor-view", EditorView);

adopt(css`
  .editor .grid {
    align-content: start;
  }
  .mono-key {
    overflow-wrap: anywhere;
  }
  .editor .top > div {
    min-width: 0;
  }
  .editor section > .field {
    margin-top: 10px;
  }
  .editor .check {
    display: flex;
    gap: 8px;
    align-items: center;
    margin-top: 8px;
    font-size: 13px;
  }
  .copies {
    display: inline-flex;
    gap: 8px;
    flex-wrap: wrap;
  }
  .copied {
    margin-top: 10px;
  }
  .editor-problem {
    margin: 0 0 12px;
  }
  .editor .code {
    max-height: 240px;
  }
`);
