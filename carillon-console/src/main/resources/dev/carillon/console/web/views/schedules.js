// All schedules, a page at a time as the server has them: how each is doing, when it ran and will; filters in the address.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ifMay } from "../app/actions.js";
import { atMostEvery } from "../app/live.js";
import { href, router } from "../app/router.js";
import { session } from "../app/session.js";
import { clock, duration, isoDay, moment, viewerZone } from "../app/time.js";
import { count, stateOf } from "../app/words.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { runStrip } from "../parts/run-strip.js";
import { STATUSES, expressionOf, stateOfSchedule, whenOf, zoneOf } from "../parts/schedule-words.js";
import { changeMany } from "../parts/schedule-actions.js";
import { mark } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import { firstSchedules } from "../parts/first-schedules.js";
import "../parts/data-table.js";
import "../parts/filter-bar.js";

const FILTERS = [
  { name: "status", label: "status", options: Object.entries(STATUSES).map(([value, { word }]) => [value, word]) },
  { name: "target", label: "target" },
  { name: "tag", label: "tag" },
  { name: "payload", label: "payload has (JSON)" },
];
const ASKED = ["status", "target", "tag", "payload", "q"];
const REFRESH = 2000;
const PAGE = 50;
const TYPING = 250;

const took = (run) =>
  run?.startedAt && run.finishedAt ? new Date(run.finishedAt) - new Date(run.startedAt) : undefined;

class SchedulesView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    page: { state: true },
    failure: { state: true },
    chosen: { state: true },
  };
  #asked = 0;
  #typing;

  constructor() {
    super();
    this.chosen = new Set();
  }

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen(refresh);
    this.aroundBreaks(refresh);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
  }

  willUpdate(changed) {
    if (changed.has("params") && this.#query(changed.get("params")) !== this.#query(this.params)) {
      this.page = undefined;
      this.chosen = new Set();
      this.#load();
    }
  }

  /* What is being typed is left alone; the back button is not. */
  updated(changed) {
    const field = this.querySelector("#schedules-q");
    if (changed.has("params") && field.value.trim() !== (this.params.q ?? "")) field.value = this.params.q ?? "";
  }

  #query(params) {
    return params && JSON.stringify([...ASKED, "cursor"].map((name) => params[name]));
  }

  async #load() {
    const asked = ++this.#asked;
    const query = Object.fromEntries([...ASKED, "cursor"].map((name) => [name, this.params[name]]));
    try {
      const page = await api.get("schedules", { query: { ...query, recent: true, limit: PAGE }, signal: this.signal });
      if (asked === this.#asked) [this.page, this.failure] = [page, undefined];
    } catch (failure) {
      if (!isAbort(failure) && asked === this.#asked) this.failure = failure;
    }
  }

  #search(event) {
    clearTimeout(this.#typing);
    const text = event.target.value.trim();
    this.#typing = setTimeout(() => router.set({ q: text, cursor: undefined }, { replace: true }), TYPING);
  }

  #choose(key, on) {
    const chosen = new Set(this.chosen);
    if (on) chosen.add(key);
    else chosen.delete(key);
    this.chosen = chosen;
  }

  #chooseAll(on) {
    this.chosen = new Set(on ? this.page.items.map((item) => item.key) : []);
  }

  #change(action, everything) {
    const filter = Object.fromEntries(
      ASKED.filter((name) => this.params[name]).map((name) => [
        name,
        name === "payload" ? JSON.parse(this.params.payload) : this.params[name],
      ]),
    );
    return changeMany(
      action,
      everything
        ? { filter }
        : {
            keys: [...this.chosen],
            active: this.page.items
              .filter((item) => this.chosen.has(item.key) && item.status === "active")
              .map((item) => item.key),
          },
    ).then((done) => {
      if (!done) return;
      this.chosen = new Set();
      this.#load();
    });
  }

  #columns() {
    const may = session.may("operator");
    const all = this.page?.items.length > 0 && this.page.items.every((item) => this.chosen.has(item.key));
    return [
      ...(may
        ? [
            {
              name: "choose",
              title: html`<input
                type="checkbox"
                aria-label="Choose all on this page"
                .checked=${all}
                @change=${(event) => this.#chooseAll(event.target.checked)}
              />`,
              cell: (item) =>
                html`<input
                  type="checkbox"
                  aria-label=${"Choose " + item.key}
                  .checked=${this.chosen.has(item.key)}
                  @change=${(event) => this.#choose(item.key, event.target.checked)}
                />`,
            },
          ]
        : []),
      {
        name: "key",
        title: "schedule",
        sort: (item) => item.key,
        cell: (item) =>
          html`<a class="key" href=${href("schedule", { key: item.key })}>${item.key}</a>
            <span class="faint">v${item.version}</span>
            <div class="tags">
              ${item.tags.map((tag) => html`<a class="tag" href=${href("schedules", { ...this.params, tag, cursor: undefined })}>${tag}</a>`)}
              <span class="faint wide-only owner" title="Made by ${item.createdBy}">${item.createdBy}</span>
            </div>
            <div class="faint narrow-only">${item.timingText}</div>`,
      },
      {
        name: "when",
        title: "when",
        wide: true,
        sort: (item) => item.timingText,
        cell: (item) =>
          html`<span class="clamp" title=${item.timingText}>${whenOf(item)}</span>
            <div class="faint one-line">
              <span class="mono">${expressionOf(item)}</span
              >${item.timing.zone ? html`${expressionOf(item) ? " · " : ""}${item.timing.zone}` : nothing}
            </div>`,
      },
      {
        name: "target",
        title: "target",
        wide: true,
        sort: (item) => item.target,
        cell: (item) =>
          html`<a
            class="mono clamp"
            title=${item.target}
            href=${href("schedules", { ...this.params, target: item.target, cursor: undefined })}
            >${item.target}</a
          >`,
      },
      {
        name: "status",
        title: "status",
        sort: (item) => stateOfSchedule(item).tone + item.status,
        cell: (item) =>
          html`<span class="status">${mark(stateOfSchedule(item).tone)}${stateOfSchedule(item).word}</span
            >${item.pauseReason ? html`<div class="faint reason" title=${item.pauseReason}>${item.pauseReason}</div>` : nothing}`,
      },
      {
        name: "recent",
        title: "last 20 runs",
        wide: true,
        cell: (item) =>
          item.recent.length
            ? html`<a href=${href("runs", { schedule: item.key })} aria-label=${"Runs of " + item.key}
                >${runStrip([...item.recent].reverse())}</a
              >`
            : html`<span class="faint">none yet</span>`,
      },
      {
        name: "last",
        title: "last run",
        wide: true,
        sort: (item) => item.lastRun?.slot,
        cell: (item) => (item.lastRun ? this.#last(item.lastRun) : nothing),
      },
      { name: "next", title: "next run", sort: (item) => item.next[0], cell: (item) => this.#next(item) },
    ];
  }

  #last(run) {
    const state = stateOf(run.state);
    return html`<a class="status nowrap" href=${href("run", { id: run.id })}
        >${mark(state.tone)}${timeText(run.slot)}</a
      >
      <div class="faint">${state.word}${took(run) === undefined ? "" : ", " + duration(took(run))}</div>`;
  }

  #next(item) {
    const [next] = item.next;
    if (!next) return html`<span class="faint">${item.status === "paused" ? "when resumed" : "none"}</span>`;
    const zone = zoneOf(item);
    return html`${timeText(next, { zone })}
      <div class="faint">
        ${relativeText(next)}${zone === viewerZone || (isoDay(next) === isoDay(next, zone) && clock(next) === clock(next, zone)) ? nothing : html` · <time datetime=${next}>${isoDay(next) === isoDay(next, zone) ? clock(next) : moment(next)}</time> yours`}
      </div>`;
  }

  #bar() {
    if (!this.chosen.size) return nothing;
    const buttons = (everything) =>
      html`<button class="small" @click=${() => this.#change("pause", everything)}>Pause…</button>
        <button class="small" @click=${() => this.#change("resume", everything)}>Resume…</button>
        <button class="small" @click=${() => this.#change("run", everything)}>Run…</button>
        ${ifMay("editor", () => html`<button class="small danger" @click=${() => this.#change("delete", everything)}>Retire…</button>`)}`;
    const more = this.page?.nextCursor || this.params.cursor;
    return html`<div class="panel many" role="group" aria-label="Do with many">
      <b>${count(this.chosen.size, "schedule")} chosen</b> ${buttons(false)}
      ${more && this.chosen.size >= this.page.items.length ? html`<span class="many-all">All that match, on every page: ${buttons(true)}</span>` : nothing}
      <span class="grow"></span
      ><button class="small quiet" @click=${() => (this.chosen = new Set())}>Choose none</button>
    </div>`;
  }

  #empty() {
    return ASKED.some((name) => this.params[name])
      ? emptyState(
          "No schedule is like that.",
          "Take a filter away to see more.",
          html`<a class="btn" href=${href("schedules")}>Show all schedules</a>`,
        )
      : firstSchedules();
  }

  render() {
    const items = this.page?.items;
    const whole = items && !this.page.nextCursor && !this.params.cursor;
    return html`<div class="top">
        <h1>Schedules</h1>
        <span class="soft"
          >${whole ? count(items.length, "schedule") : items ? `${items.length} of more, by key` : nothing}${this.params.sort && items && !whole ? ", this page sorted" : nothing}</span
        ><span class="grow"></span> <label class="hidden" for="schedules-q">Search key, target and description</label
        ><input
          id="schedules-q"
          class="find"
          type="search"
          placeholder="Search key, target, description"
          autocomplete="off"
          @input=${(event) => this.#search(event)}
        />
      </div>
      <filter-bar .filters=${FILTERS} .params=${this.params}></filter-bar>
      ${this.#bar()} ${this.page ? staleNote(this.failure) : nothing}
      ${
        this.failure && !this.page
          ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`
          : html`<data-table
              caption="Schedules"
              .columns=${this.#columns()}
              .items=${items}
              .nextCursor=${this.page?.nextCursor}
              .params=${this.params}
              .keyOf=${(item) => item.key}
              .empty=${items ? this.#empty() : nothing}
            ></data-table>`
      }`;
  }
}
customElements.define("schedules-view", SchedulesView);

adopt(css`
  schedules-view .find {
    max-width: 280px;
  }
  schedules-view .tags {
    display: flex;
    gap: 4px;
    flex-wrap: wrap;
    font-size: 12px;
  }
  schedules-view td {
    vertical-align: top;
    padding-block: 7px;
  }
  schedules-view .owner {
    margin-left: 2px;
  }
  .clamp {
    display: -webkit-box;
    -webkit-line-clamp: 2;
    -webkit-box-orient: vertical;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .one-line {
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .narrow-only {
    display: none;
  }
  @media (max-width: 760px) {
    .narrow-only {
      display: block;
    }
    schedules-view .find {
      max-width: none;
      flex: 1 1 160px;
    }
    schedules-view :is(th, td):has([type="checkbox"]) {
      display: none;
    }
    schedules-view td[data-column="key"] {
      width: 52%;
    }
    schedules-view .faint.reason {
      display: none;
    }
  }
  schedules-view td[data-column="status"] .status {
    align-items: baseline;
  }
  schedules-view .reason {
    width: 0;
    min-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .many {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    padding: 8px 12px;
    margin-bottom: 12px;
    background: var(--accent-bg);
  }
  .hits {
    margin: 8px 0;
    padding-left: 18px;
    max-height: 180px;
    overflow: auto;
    overflow-wrap: anywhere;
  }
  @media (min-width: 761px) {
    schedules-view table {
      table-layout: fixed;
      min-width: 900px;
    }
    schedules-view th:has([aria-label="Choose all on this page"]) {
      width: 32px;
    }
    schedules-view th:nth-last-child(7) {
      width: 17%;
    }
    schedules-view th:nth-last-child(5) {
      width: 84px;
    }
    schedules-view th:nth-last-child(4) {
      width: 94px;
    }
    schedules-view th:nth-last-child(3) {
      width: 128px;
    }
    schedules-view th:nth-last-child(2) {
      width: 164px;
    }
    schedules-view th:last-child {
      width: 164px;
    }
    schedules-view :is(td, th) {
      padding-inline: 6px;
    }
  }
`);
