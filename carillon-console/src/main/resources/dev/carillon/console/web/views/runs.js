// All runs: what is due, running or over, the latest first, with every filter in the address, live.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ask, ifMay, perform, toast } from "../app/actions.js";
import { atMostEvery } from "../app/live.js";
import { href } from "../app/router.js";
import { clockSeconds, duration, isoDay, precisely } from "../app/time.js";
import { RUN_STATES, TRIGGERS, stateOf } from "../app/words.js";
import { emptyState, orFailure } from "../parts/empty-state.js";
import { status } from "../parts/status-mark.js";
import { timeText } from "../parts/time-text.js";
import "../parts/data-table.js";
import "../parts/filter-bar.js";

const FILTERS = [
  { name: "state", label: "status", options: Object.entries(RUN_STATES).map(([state, { word }]) => [state, word]) },
  { name: "schedule", label: "schedule" },
  { name: "target", label: "target" },
  { name: "q", label: "text" },
  { name: "from", label: "scheduled from", type: "datetime-local" },
  { name: "to", label: "scheduled before", type: "datetime-local" },
  { name: "trigger", label: "trigger", options: Object.entries(TRIGGERS) },
  { name: "correlation", label: "correlation" },
  { name: "node", label: "node" },
  { name: "startedFrom", label: "started from", type: "datetime-local", rare: true },
  { name: "startedTo", label: "started before", type: "datetime-local", rare: true },
  { name: "finishedFrom", label: "finished from", type: "datetime-local", rare: true },
  { name: "finishedTo", label: "finished before", type: "datetime-local", rare: true },
  { name: "shortest", label: "took at least", example: "30s", rare: true },
  { name: "longest", label: "took at most", example: "5m", rare: true },
];
const ASKED = [...FILTERS.map((filter) => filter.name), "cursor", "planned"];
const REFRESH = 1000;
const PAGE = 50;
const AGAIN = ["failed", "canceled", "skipped"];
const LATE = 1000;

const reason = (run) => run.failure?.message ?? run.reason ?? run.lastFailure?.message ?? "";

/* Without its day, if that is the one of `before`, which stands beside it. */
const timeOn = (before, at) =>
  at && isoDay(at) === isoDay(before)
    ? html`<time datetime=${at} title=${precisely(at)}>${clockSeconds(at)}</time>`
    : timeText(at, { seconds: true });

class RunsView extends CarillonElement {
  static properties = { params: { attribute: false }, page: { state: true }, failure: { state: true } };
  #asked = 0;

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen((event) => event.type.startsWith("run.") && refresh());
    this.aroundBreaks(refresh);
  }

  willUpdate(changed) {
    if (changed.has("params") && JSON.stringify(changed.get("params")) !== JSON.stringify(this.params)) {
      this.page = undefined;
      this.#load();
    }
  }

  async #load() {
    const asked = ++this.#asked;
    const query = Object.fromEntries(ASKED.map((name) => [name, this.params[name]]));
    try {
      const page = await api.get("runs", { query: { ...query, limit: PAGE }, signal: this.signal });
      if (asked === this.#asked) [this.page, this.failure] = [page, undefined];
    } catch (failure) {
      if (!isAbort(failure) && asked === this.#asked) this.failure = failure;
    }
  }

  #cancel(run) {
    return ask({
      title: `Cancel ${run.schedule ?? run.target}?`,
      says:
        run.state === "running"
          ? "It is asked to stop; what it has done so far stays done."
          : "It has not started, and will not.",
      fields: [{ name: "reason", label: "Reason, for the audit", required: true }],
      confirm: "Cancel the run",
      danger: true,
      submit: (values) => api.post(api.path`runs/${run.id}/cancel`, values),
    }).then((done) => done && (toast("Canceled."), this.#load()));
  }

  #again(run) {
    return perform({
      work: () => api.post(api.path`runs/${run.id}/retry`),
      done: `${run.schedule ?? run.target} runs again.`,
      undo: (again) => api.post(api.path`runs/${again.id}/cancel`, { reason: "taken back in the console" }),
    }).then(() => this.#load());
  }

  #columns() {
    return [
      {
        name: "state",
        title: "status",
        cell: (run) =>
          html`<a href=${href("run", { id: run.id })}>${status(stateOf(run.state).tone, stateOf(run.state).word)}</a>`,
      },
      {
        name: "schedule",
        title: "run of",
        cell: (run) =>
          html`<a class="key" href=${href("runs", run.schedule ? { schedule: run.schedule } : { target: run.target })}
              >${run.schedule ?? run.target}</a
            >${run.trigger === "scheduled" ? nothing : html` <span class="tag nowrap">${TRIGGERS[run.trigger] ?? run.trigger}</span>`}`,
      },
      {
        name: "target",
        title: "target",
        wide: true,
        cell: (run) => html`<a class="soft" href=${href("runs", { target: run.target })}>${run.target}</a>`,
      },
      {
        name: "scheduled",
        title: "scheduled",
        cell: (run) => html`<span class="nowrap">${timeText(run.slot, { seconds: true })}</span>`,
      },
      {
        name: "started",
        title: "started",
        wide: true,
        cell: (run) =>
          html`<span class="nowrap">${timeOn(run.slot, run.startedAt)}</span
            >${run.latenessMs >= LATE && run.attempt <= 1 ? html`<div class="faint nowrap">${duration(run.latenessMs)} late</div>` : nothing}`,
      },
      {
        name: "finished",
        title: "finished",
        wide: true,
        cell: (run) => html`<span class="nowrap">${timeOn(run.startedAt ?? run.slot, run.finishedAt)}</span>`,
      },
      {
        name: "duration",
        title: "duration",
        right: true,
        wide: true,
        cell: (run) => html`<span class="nowrap">${duration(run.durationMs)}</span>`,
      },
      {
        name: "reason",
        title: "failure reason",
        cell: (run) =>
          html`<span class="reason" title=${reason(run)}>${reason(run)}</span
            >${run.attempt > 1 ? html` <span class="faint nowrap">attempt ${run.attempt}</span>` : nothing}`,
      },
      {
        name: "actions",
        title: html`<span class="hidden">actions</span>`,
        right: true,
        wide: true,
        cell: (run) => ifMay("operator", () => this.#actions(run)),
      },
    ];
  }

  #actions(run) {
    if (AGAIN.includes(run.state))
      return html`<button class="small" @click=${() => this.#again(run)}>Run again</button>`;
    if (run.finishedAt) return nothing;
    return html`<button class="small" @click=${() => this.#cancel(run)}>Cancel…</button>`;
  }

  #empty() {
    return FILTERS.some((filter) => this.params[filter.name])
      ? emptyState(
          "No run is like that.",
          "Take a filter away to see more.",
          html`<a class="btn" href=${href("runs")}>Show all runs</a>`,
        )
      : emptyState(
          "Nothing has run yet.",
          "A run appears here when a schedule is due, or when something is run by hand.",
        );
  }

  render() {
    return html`<div class="top">
        <h1>Runs</h1>
        <span class="soft">the latest first</span>
      </div>
      <filter-bar .filters=${FILTERS} .params=${this.params}></filter-bar>
      ${orFailure(
        this.failure,
        this.page,
        () => this.#load(),
        html`<data-table
          caption="Runs"
          .columns=${this.#columns()}
          .items=${this.page?.items}
          .nextCursor=${this.page?.nextCursor}
          .params=${this.params}
          .keyOf=${(run) => run.id}
          .empty=${this.#empty()}
        ></data-table>`,
      )}`;
  }
}
customElements.define("runs-view", RunsView);

adopt(css`
  @media (min-width: 761px) {
    runs-view td[data-column="schedule"] {
      min-width: 140px;
    }
    runs-view td[data-column="reason"] {
      min-width: 160px;
    }
  }
  runs-view :is(td, th) {
    padding-inline: 8px;
  }
  runs-view td {
    padding-block: 6px;
  }
  runs-view td[data-column="actions"] {
    padding-block: 0;
  }
  runs-view .reason {
    display: -webkit-box;
    -webkit-line-clamp: 2;
    -webkit-box-orient: vertical;
    overflow: hidden;
    overflow-wrap: anywhere;
    max-width: 46ch;
  }
  @media (max-width: 760px) {
    runs-view :is(td, th) {
      padding-inline: 4px;
    }
    runs-view td :is(.nowrap, .tag) {
      white-space: normal;
    }
    runs-view th {
      white-space: normal;
    }
    runs-view td[data-column="schedule"] {
      min-width: 112px;
    }
  }
`);
