// What failed for good, grouped by cause: mended, run again, one, all of a cause or at a rate, or given up.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ifMay, toast } from "../app/actions.js";
import { atMostEvery } from "../app/live.js";
import { href } from "../app/router.js";
import { count, number } from "../app/words.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { progressBar } from "../parts/progress-bar.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { mark } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";
import "../parts/filter-bar.js";
import { dismiss, redriveAll, redriveOne, redrivePaced, redriveWith, whose } from "./dead-letters/actions.js";
import { causesOf } from "./dead-letters/causes.js";
import { paced } from "./dead-letters/paced.js";

const FILTERS = [
  { name: "schedule", label: "schedule" },
  { name: "target", label: "target" },
  { name: "q", label: "text" },
  { name: "from", label: "scheduled from", type: "datetime-local" },
  { name: "to", label: "scheduled before", type: "datetime-local" },
];
const PAGE = 500;
const PAGES = 4;
const REFRESH = 1500;

class DeadLettersView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    letters: { state: true },
    more: { state: true },
    failure: { state: true },
  };
  #asked = 0;

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen((event) => event.type.startsWith("run.") && event.type !== "run.succeeded" && refresh());
    this.aroundBreaks(refresh);
    this.follow(paced);
    paced.addEventListener("finished", (event) => this.#finished(event.detail), { signal: this.signal });
  }

  #finished(work) {
    toast(
      `${count(work.done - work.refused, "dead letter")} run again${work.refused ? `, ${work.refused} could not` : ""}.`,
    );
    this.#load();
  }

  willUpdate(changed) {
    if (!changed.has("params")) return;
    const asked = (params) => JSON.stringify(FILTERS.map((filter) => params?.[filter.name]));
    if (asked(changed.get("params")) !== asked(this.params) || !this.letters) {
      this.letters = undefined;
      this.#load();
    }
  }

  async #load() {
    const asked = ++this.#asked;
    const query = Object.fromEntries(FILTERS.map((filter) => [filter.name, this.params[filter.name]]));
    const letters = [];
    let cursor;
    try {
      for (let page = 0; page < PAGES && (page === 0 || cursor); page++) {
        const answer = await api.get("dead-letters", { query: { ...query, limit: PAGE, cursor }, signal: this.signal });
        letters.push(...answer.items);
        cursor = answer.nextCursor;
      }
      if (asked === this.#asked) [this.letters, this.more, this.failure] = [letters, !!cursor, undefined];
    } catch (failure) {
      if (!isAbort(failure) && asked === this.#asked) this.failure = failure;
    }
  }

  #then = (work) => () => work().then((done) => done !== undefined && this.#load());

  #group(group) {
    const open = this.params.cause === group.cause;
    return html`<section class="panel cause" data-cause=${group.cause}>
      <div class="cause-head">
        <a
          class="cause-count"
          href=${href("dead-letters", { ...this.params, cause: open ? undefined : group.cause })}
          title="Show them"
          aria-label="${count(group.runs.length, "dead letter")} of this cause"
          >${number(group.runs.length)}</a
        >
        <div class="cause-says">
          <h2>
            ${mark("bad")}<a
              href=${href("dead-letters", { ...this.params, cause: open ? undefined : group.cause })}
              aria-expanded=${open ? "true" : "false"}
              >${group.message || group.code}</a
            >
          </h2>
          <div class="soft">
            <span class="mono">${group.code}</span> ·
            ${whose(group)}${group.schedules.length ? html` · target ${group.target}` : nothing}
          </div>
          <div class="faint">
            ${group.runs.length > 1 ? html`first ${timeText(group.first)}, last ${timeText(group.last)}, ${relativeText(group.last)}` : html`${timeText(group.last)}, ${relativeText(group.last)}`}
          </div>
        </div>
        ${ifMay(
          "operator",
          () =>
            html`<div class="cause-actions">
              <button class="primary small" @click=${this.#then(() => redriveAll(group))}>
                Run ${group.runs.length > 1 ? "all" : "it"} again…
              </button>
              ${group.runs.length > 1 ? html`<button class="small" @click=${this.#then(() => redrivePaced(group))}>At a rate…</button>` : nothing}
              <button class="small danger" @click=${this.#then(() => dismiss(group.runs))}>
                Dismiss${group.runs.length > 1 ? " all" : ""}…
              </button>
            </div>`,
        )}
      </div>
      ${open ? html`<data-table caption="Dead letters of this cause" .columns=${this.#columns()} .items=${group.runs} .params=${this.params} .keyOf=${(run) => run.id}></data-table>` : nothing}
    </section>`;
  }

  #columns() {
    return [
      {
        name: "schedule",
        title: "run of",
        sort: (run) => run.schedule ?? run.target,
        cell: (run) =>
          html`<a class="key" href=${href("run", { id: run.id })}>${run.schedule ?? run.target}</a>
            <div class="faint nowrap narrow-only">${timeText(run.slot)}</div>`,
      },
      {
        name: "slot",
        title: "scheduled",
        wide: true,
        sort: (run) => run.slot,
        cell: (run) => html`<span class="nowrap">${timeText(run.slot, { seconds: true })}</span>`,
      },
      {
        name: "message",
        title: "failure",
        wide: true,
        cell: (run) => html`<span class="letter-message">${run.failure?.message ?? ""}</span>`,
      },
      {
        name: "attempt",
        title: "attempts",
        right: true,
        wide: true,
        sort: (run) => run.attempt,
        cell: (run) => run.attempt,
      },
      {
        name: "actions",
        title: html`<span class="hidden">actions</span>`,
        right: true,
        cell: (run) =>
          ifMay(
            "operator",
            () =>
              html`<span class="letter-actions"
                ><button class="small" @click=${this.#then(() => redriveOne(run))}>Run again</button
                ><button class="small" @click=${this.#then(() => redriveWith(run))}>Edit…</button
                ><button class="small wide-only" @click=${this.#then(() => dismiss([run]))}>Dismiss…</button></span
              >`,
          ),
      },
    ];
  }

  #content() {
    if (this.failure && !this.letters)
      return html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`;
    if (!this.letters) return html`<div class="panel">${skeleton(6)}</div>`;
    if (this.letters.length === 0) {
      return html`<div class="panel">
        ${
          FILTERS.some((filter) => this.params[filter.name])
            ? emptyState(
                "No dead letter is like that.",
                "Take a filter away to see more.",
                html`<a class="btn" href=${href("dead-letters")}>Show all</a>`,
              )
            : emptyState(
                "Nothing needs you here.",
                "A run that fails for good, after its last attempt, waits here until somebody runs it again or gives it up.",
                html`<a class="btn" href=${href("runs", { state: "failed" })}>Runs that failed</a>`,
              )
        }
      </div>`;
    }
    return html`${staleNote(this.failure)}
      <div class="grid">${causesOf(this.letters).map((group) => this.#group(group))}</div>`;
  }

  #paced() {
    const work = paced.work;
    if (!work) return nothing;
    return html`<div class="panel paced" role="status">
      <div class="grow">
        ${progressBar(`${work.done} of ${work.ids.length}`)}<span class="soft"
          >run again, ${work.perMinute} a minute: ${work.what}</span
        >
      </div>
      <button @click=${() => (paced.stop(), this.#load())}>Stop</button>
    </div>`;
  }

  render() {
    const groups = this.letters ? causesOf(this.letters).length : 0;
    return html`<div class="top">
        <h1>Dead letters</h1>
        ${this.letters?.length ? html`<span class="soft">${this.more ? `the latest ${number(this.letters.length)}` : number(this.letters.length)}, of ${count(groups, "cause")}</span>` : nothing}
      </div>
      ${this.#paced()}
      <filter-bar .filters=${FILTERS} .params=${this.params}></filter-bar>
      ${this.#content()}`;
  }
}
customElements.define("dead-letters-view", DeadLettersView);

adopt(css`
  .cause {
    padding-block: 12px;
  }
  .cause .cause-head {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    align-items: center;
    justify-content: start;
  }
  .cause-says {
    flex: 1 1 220px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .cause h2 {
    font-size: 14px;
    color: var(--ink);
    margin: 0 0 2px;
    display: flex;
    gap: 8px;
    align-items: baseline;
  }
  .cause h2 a {
    display: -webkit-box;
    -webkit-line-clamp: 3;
    -webkit-box-orient: vertical;
    overflow: hidden;
  }
  .cause-count {
    font-size: 22px;
    font-weight: 600;
    color: var(--bad);
    letter-spacing: -0.02em;
    line-height: 1.2;
    min-width: 2ch;
    text-align: right;
    align-self: start;
  }
  .cause-actions {
    display: flex;
    gap: 8px;
    flex-wrap: wrap;
  }
  .cause data-table {
    display: block;
    margin-top: 12px;
  }
  .cause .table-panel {
    border-color: color-mix(in srgb, var(--line) 60%, transparent);
  }
  .letter-message {
    display: -webkit-box;
    -webkit-line-clamp: 2;
    -webkit-box-orient: vertical;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .letter-actions {
    display: flex;
    gap: 6px;
    justify-content: flex-end;
    flex-wrap: wrap;
  }
  @media (min-width: 761px) {
    .narrow-only {
      display: none;
    }
  }
  .paced {
    display: flex;
    gap: 16px;
    align-items: center;
    margin-bottom: 12px;
  }
`);
