// Backfill: pick a range, see the exact slots, run them, watch them, stop what has not started.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { perform } from "../app/actions.js";
import { atMostEvery } from "../app/live.js";
import { href, router } from "../app/router.js";
import { instantOf, moment } from "../app/time.js";
import { count } from "../app/words.js";

const OVER = ["succeeded", "failed", "canceled", "skipped"];
const REFRESH = 1000;

/** `schedule`: its key, `zone` in which slots are said */
class BackfillPanel extends CarillonElement {
  static properties = {
    schedule: {},
    zone: {},
    preview: { state: true },
    runs: { state: true },
    states: { state: true },
    failure: { state: true },
    busy: { state: true },
  };

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.runs && this.#follow());
    this.listen((event) => event.type.startsWith("run.") && refresh());
    this.every(REFRESH * 3, refresh);
  }

  #order() {
    const { from, to, limit, overlap, spread } = this.querySelector("form").elements;
    return {
      from: instantOf(from.value),
      to: instantOf(to.value),
      limit: limit.value ? Number(limit.value) : undefined,
      overlap: overlap.value || undefined,
      spread: spread.value.trim() || undefined,
    };
  }

  async #ask(dryRun) {
    this.busy = true;
    this.failure = undefined;
    try {
      const answer = await api.post(api.path`schedules/${this.schedule}/backfill`, { ...this.#order(), dryRun });
      this.preview = answer;
      if (!dryRun) {
        [this.runs, this.states] = [answer.runs, {}];
        await this.#follow();
      }
    } catch (failure) {
      if (!isAbort(failure)) [this.failure, this.preview] = [failure, undefined];
    }
    this.busy = false;
  }

  async #follow() {
    const mine = new Set(this.runs);
    const slots = [...this.preview.slots].sort();
    if (!slots.length) return;
    const states = {};
    let cursor;
    do {
      const page = await api
        .get("runs", {
          query: {
            schedule: this.schedule,
            from: slots[0],
            to: new Date(Date.parse(slots.at(-1)) + 1000).toISOString(),
            planned: true,
            limit: 500,
            cursor,
          },
          signal: this.signal,
        })
        .catch((failure) => (isAbort(failure) ? undefined : Promise.reject(failure)));
      if (!page) return;
      for (const run of page.items) if (mine.has(run.id)) states[run.id] = run.state;
      cursor = page.nextCursor;
    } while (cursor);
    this.states = states;
  }

  #stop() {
    const waiting = this.runs.filter((id) => !OVER.includes(this.states[id]));
    return perform({
      work: async () => {
        for (const id of waiting)
          await api
            .post(api.path`runs/${id}/cancel`, { reason: "backfill stopped in the console" })
            .catch((failure) => failure.status === 409 || Promise.reject(failure));
        await this.#follow();
      },
      done: `${count(waiting.length, "run")} canceled.`,
    });
  }

  #error(name) {
    const text = this.failure?.at?.("/" + name);
    return text ? html`<span class="field-error" id="backfill-${name}-says">${text}</span>` : nothing;
  }

  #field(name, label, type, extra = {}) {
    return html`<div>
      <label for="backfill-${name}">${label}</label
      ><input
        id="backfill-${name}"
        name=${name}
        type=${type}
        ?required=${extra.required}
        min=${extra.min ?? nothing}
        placeholder=${extra.placeholder ?? nothing}
        autocomplete="off"
        aria-invalid=${this.failure?.at?.("/" + name) ? "true" : nothing}
        @input=${() => (this.preview = undefined)}
      />${this.#error(name)}
    </div>`;
  }

  #slots() {
    const { preview } = this;
    if (!preview) return nothing;
    const rest = preview.count - Math.min(preview.slots.length, 40);
    return html`<p role="status">
        <b>${count(preview.count, "slot")}</b> of ${preview.slotsInRange} in the range
        ${this.runs ? "run" : "would run"}${preview.again ? `, ${preview.again} of them again` : ""}; on the clock of
        ${this.zone}.
        <span class="soft">${preview.why ?? ""}</span>
      </p>
      <ul class="slots" aria-label="Slots">
        ${preview.slots.slice(0, 40).map((slot, i) => html`<li class="mono ${this.runs ? (this.states[this.runs[i]] ?? "pending") : ""}">${moment(slot, { zone: this.zone })}</li>`)}${rest > 0 ? html`<li class="faint">and ${rest} more</li>` : nothing}
      </ul>`;
  }

  #progress() {
    const all = Object.values(this.states);
    const over = all.filter((state) => OVER.includes(state)).length;
    const bad = all.filter((state) => state === "failed").length;
    return html`<label for="backfill-progress"
        >${over} of ${count(this.runs.length, "run")} over${bad ? `, ${bad} failed` : ""}</label
      ><progress id="backfill-progress" max=${this.runs.length} value=${over}></progress>
      <p>
        ${over < this.runs.length ? html`<button class="danger" @click=${() => this.#stop()}>Stop what is not over</button>` : html`<a class="link" href=${href("runs", { schedule: this.schedule, trigger: "backfill" })}>See its runs</a>`}
      </p>`;
  }

  render() {
    const other = this.failure
      ? (this.failure.besides?.(["/from", "/to", "/limit", "/overlap", "/spread"]) ?? this.failure.message)
      : "";
    return html`<section class="panel backfill" aria-label="Backfill">
      <h2>Backfill: run past slots that have no run</h2>
      ${
        this.runs
          ? this.#progress()
          : html`<form @submit=${(event) => (event.preventDefault(), this.#ask(!this.preview))}>
              <div class="grid backfill-fields">
                ${this.#field("from", "From (your time)", "datetime-local", { required: true })}${this.#field("to", "Up to (your time)", "datetime-local", { required: true })}${this.#field("limit", "At most so many runs", "number", { min: 1 })}${this.#field("spread", "Spread over", "text", { placeholder: "at once; or such as PT1H" })}
                <div>
                  <label for="backfill-overlap">In which order</label
                  ><select id="backfill-overlap" name="overlap" @change=${() => (this.preview = undefined)}>
                    <option value="">one after the other</option>
                    <option value="allow">side by side</option></select
                  >${this.#error("overlap")}
                </div>
              </div>
              ${other ? html`<p class="field-error" role="alert">${other}</p>` : nothing}
              <p class="backfill-buttons">
                <button
                  class=${this.preview ? "" : "primary"}
                  type=${this.preview ? "button" : "submit"}
                  ?disabled=${this.busy}
                  @click=${(event) => this.preview && (event.preventDefault(), this.#ask(true))}
                >
                  Show the slots
                </button>
                ${this.preview?.count ? html`<button class="primary" ?disabled=${this.busy}>Run ${count(this.preview.count, "slot")}</button>` : nothing}
                <button type="button" class="quiet" @click=${() => router.set({ backfill: undefined })}>Close</button>
              </p>
            </form>`
      }
      ${this.#slots()}
    </section>`;
  }
}
customElements.define("backfill-panel", BackfillPanel);

adopt(css`
  .backfill {
    margin-bottom: 16px;
  }
  .backfill-fields {
    grid-template-columns: repeat(auto-fit, minmax(180px, 1fr));
  }
  .backfill-buttons {
    display: flex;
    gap: 8px;
    margin: 12px 0;
    flex-wrap: wrap;
  }
  .slots {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 4px 8px;
    padding: 0;
    margin: 8px 0;
  }
  .slots li {
    border: 1px dashed var(--wait);
    border-radius: 4px;
    padding: 0 6px;
  }
  .slots .succeeded {
    border: 1px solid var(--ok);
  }
  .slots .failed {
    border: 1px solid var(--bad);
    color: var(--bad);
  }
  .slots .canceled,
  .slots .skipped {
    border-color: var(--skip);
    text-decoration: line-through;
  }
  .slots .running {
    border: 1px solid var(--run);
  }
  .backfill progress {
    width: 100%;
    accent-color: var(--accent);
  }
`);
