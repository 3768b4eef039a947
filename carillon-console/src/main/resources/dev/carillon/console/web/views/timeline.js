// A window of time across schedules: what overlaps, what comes in herds. Panned and zoomed by mouse and keys; live.
import { CarillonElement, html, css, adopt, nothing, svg } from "../app/element.js";
import { isAbort } from "../app/api.js";
import { serverNow } from "../app/clock.js";
import { atMostEvery, live } from "../app/live.js";
import { href, router } from "../app/router.js";
import { clock, clockSeconds, day, duration, isoDay, moment } from "../app/time.js";
import { count, stateOf } from "../app/words.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { chartTable } from "../parts/chart-frame.js";
import "../parts/data-table.js";
import "../parts/filter-bar.js";
import { crowd, rowBars, rowWords } from "./timeline/bars.js";
import { MOST_ROWS, loadComing, loadRuns, rowsOf } from "./timeline/load.js";
import { SPANS, panned, place, ticksOf, windowOf, zoomed } from "./timeline/window.js";

const FILTERS = [
  { name: "schedule", label: "schedule" },
  { name: "target", label: "target" },
  { name: "q", label: "text" },
];
const REFRESH = 1500;
const FOLLOW = 1000;
const RELOAD = 20_000;
const NARROW = 6;
const SETTLED = 150;

class TimelineView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    runs: { state: true },
    coming: { state: true },
    limits: { state: true },
    failure: { state: true },
  };
  #asked = 0;
  #moving;
  #drag;

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load({ coming: false }));
    this.listen(
      (event) => event.type.startsWith("run.") && this.#window.to > serverNow() - this.#window.span && refresh(),
    );
    this.aroundBreaks(() => this.#load());
    this.every(FOLLOW, () => this.runs && !document.hidden && live.state !== "paused" && this.requestUpdate());
    this.every(RELOAD, () => this.#window.follows && !document.hidden && live.state !== "paused" && this.#load());
  }

  get #window() {
    return windowOf(this.params);
  }

  get #filter() {
    return Object.fromEntries(FILTERS.map(({ name }) => [name, this.params[name]]));
  }

  willUpdate(changed) {
    if (!changed.has("params") || JSON.stringify(changed.get("params")) === JSON.stringify(this.params)) return;
    if (!this.runs) return void this.#load();
    // While it is dragged or zoomed, nothing is asked.
    clearTimeout(this.#moving);
    this.#moving = setTimeout(() => this.isConnected && this.#load(), SETTLED);
  }

  async #load({ coming = true } = {}) {
    const asked = ++this.#asked;
    const window = this.#window;
    try {
      const [past, future] = await Promise.all([
        loadRuns(window, this.#filter, this.signal),
        coming || !this.coming
          ? loadComing(window, this.#filter, this.signal)
          : { coming: this.coming, ...this.limits },
      ]);
      if (asked === this.#asked)
        [this.runs, this.coming, this.limits, this.failure] = [
          past.runs,
          future.coming,
          { since: past.since, until: future.until, more: future.more },
          undefined,
        ];
    } catch (failure) {
      if (!isAbort(failure) && asked === this.#asked) this.failure = failure;
    }
  }

  #key(event) {
    if (event.target.closest("input, select, textarea")) return;
    const window = this.#window;
    const step = {
      ArrowLeft: () => panned(window, -0.25),
      ArrowRight: () => panned(window, 0.25),
      "+": () => zoomed(window, 1),
      "=": () => zoomed(window, 1),
      "-": () => zoomed(window, -1),
      Home: () => ({ from: undefined }),
      0: () => ({ from: undefined }),
    }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    router.set(step(), { replace: true });
  }

  #share(event) {
    const box = this.querySelector(".tl-axis svg").getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  }

  /* The wheel scrolls the page; with Ctrl, or a pinch, it zooms at the pointer; sideways it pans. */
  #wheel(event) {
    if (event.ctrlKey) {
      event.preventDefault();
      router.set(zoomed(this.#window, event.deltaY < 0 ? 1 : -1, this.#share(event)), { replace: true });
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      router.set(panned(this.#window, event.deltaX / 1000), { replace: true });
    }
  }

  #grab(event) {
    if (event.button !== 0) return;
    this.#drag = { x: event.clientX, window: this.#window, moved: false };
  }

  #pull(event) {
    const drag = this.#drag;
    if (!drag || event.buttons !== 1) return void (this.#drag = undefined);
    const by = event.clientX - drag.x;
    if (!drag.moved && Math.abs(by) < 5) return;
    drag.moved = true;
    router.set(panned(drag.window, -by / this.querySelector(".tl-axis svg").getBoundingClientRect().width), {
      replace: true,
    });
  }

  /* What was dragged was not clicked. */
  #released(event) {
    if (this.#drag?.moved) {
      event.preventDefault();
      event.stopPropagation();
    }
    this.#drag = undefined;
  }

  #axis(window) {
    const label = (tick) => (window.span > 86_400_000 ? day(tick) : clock(tick));
    return html`<div class="tl-row tl-axis">
      <span></span
      ><svg width="100%" height="18" aria-hidden="true">
        ${ticksOf(window).map((tick) => {
          const at = place(window, tick);
          return at > 100 - NARROW ? nothing : svg`<text x="${at}%" y="13">${label(tick)}</text>`;
        })}
      </svg>
    </div>`;
  }

  #chart(window) {
    const now = serverNow();
    const rows = rowsOf(this.runs, this.coming, window);
    if (!rows.length)
      return html`<div class="panel">
        ${emptyState("Nothing ran or will run in this window.", "Zoom out, or go to another time.", html`<button @click=${() => router.set({ from: undefined, span: 86_400_000 })}>The day around now</button>`)}
      </div>`;
    const shown = rows.slice(0, MOST_ROWS);
    const { most, each, drawing } = crowd(rows, window, now);
    return html`<div
        class="panel tl"
        tabindex="0"
        role="group"
        aria-label="Timeline. Left and right pan, plus and minus zoom, Home goes to now."
        @keydown=${(event) => this.#key(event)}
        @wheel=${{ handleEvent: (event) => this.#wheel(event), passive: false }}
        @pointerdown=${(event) => this.#grab(event)}
        @pointermove=${(event) => this.#pull(event)}
        @click=${{ handleEvent: (event) => this.#released(event), capture: true }}
        @dragstart=${(event) => event.preventDefault()}
      >
        <div class="tl-row tl-crowd">
          <span class="faint">starts per ${duration(each)}<br />at most ${most}</span>${drawing}
        </div>
        ${shown.map((row) => html`<div class="tl-row"><a class="tl-key" title=${row.key} href=${row.schedule ? href("schedule", { key: row.key }) : href("runs", { target: row.key })}>${row.key}</a><span class="hidden">${rowWords(row)}</span>${rowBars(row, window, now)}</div>`)}
        ${this.#axis(window)}
      </div>
      ${this.#missing(window, rows.length - shown.length)} ${this.#table(shown)}`;
  }

  /* What is not drawn, though it may be there. */
  #missing(window, rows) {
    const { since, until, more } = this.limits;
    const says = [
      rows > 0 ? `${count(rows, "more schedule")} ${rows > 1 ? "have" : "has"} something here.` : "",
      since > window.from ? `Runs before ${moment(since)} are not shown.` : "",
      until < window.to ? `Slots after ${moment(until)} are not all shown.` : "",
      more ? "Of some schedules, no slots to come are shown." : "",
    ].filter(Boolean);
    return says.length
      ? html`<p class="soft tl-more">${says.join(" ")} Filter, or zoom in, to see the rest.</p>`
      : nothing;
  }

  #table(rows) {
    const lines = rows.flatMap((row) => [
      ...row.runs.map((run) => [row.key, clockSeconds(run.startedAt ?? run.dueAt), stateOf(run.state).word]),
      ...row.coming.map((fire) => [row.key, clockSeconds(fire.dueAt), "to come"]),
    ]);
    return chartTable("The timeline", ["schedule", "begins", "state"], lines.slice(0, 500));
  }

  #title(window) {
    const [from, to, today] = [window.from, window.to, serverNow()].map((at) => isoDay(at));
    const of = from.slice(0, 4) === today.slice(0, 4) ? "" : ` ${from.slice(0, 4)}`;
    return window.span > 86_400_000
      ? `${day(window.from)} to ${day(window.to)}${of}`
      : `${from === today ? "today" : day(window.from) + of}, ${clock(window.from)} to ${to === from ? "" : day(window.to) + " "}${clock(window.to)}`;
  }

  render() {
    const window = this.#window;
    const go = (label, says, change, off) =>
      html`<button class="small" aria-label=${says} title=${says} ?disabled=${off} @click=${() => router.set(change())}>
        ${label}
      </button>`;
    return html`<div class="top">
        <h1>Timeline</h1>
        <span class="soft"
          >${this.#title(window)}${this.runs ? ` · ${count(this.runs.length, "run")}, ${count(this.coming.length, "slot")} to come` : ""}</span
        ><span class="grow"></span>
        <span class="tl-buttons"
          >${go("←", "Earlier", () => panned(window, -0.5))}${go("→", "Later", () => panned(window, 0.5))}${go("−", "Zoom out", () => zoomed(window, -1), window.span === SPANS.at(-1))}${go("+", "Zoom in", () => zoomed(window, 1), window.span === SPANS[0])}${go("Now", "Go to now", () => ({ from: undefined }), window.follows)}</span
        >
      </div>
      <filter-bar .filters=${FILTERS} .params=${this.params}></filter-bar>
      ${this.runs && this.coming ? html`${staleNote(this.failure)}${this.#chart(window)}` : this.failure ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>` : html`<div class="panel">${skeleton(10)}</div>`}`;
  }
}
customElements.define("timeline-view", TimelineView);

adopt(css`
  .tl {
    cursor: grab;
    user-select: none;
    touch-action: pan-y;
  }
  .tl:active {
    cursor: grabbing;
  }
  .tl-buttons {
    display: flex;
    gap: 6px;
  }
  .tl-row {
    position: relative;
    display: grid;
    grid-template-columns: 150px minmax(0, 1fr);
    gap: 12px;
    align-items: center;
    border-bottom: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
  }
  .tl-axis,
  .tl-crowd {
    border: 0;
  }
  .tl-key {
    font-size: 12.5px;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .tl-crowd {
    margin-bottom: 4px;
    font-size: 11px;
    line-height: 1.4;
  }
  .tl-more {
    margin-top: 10px;
  }
  timeline-view .chart-table {
    margin-top: 10px;
  }
  @media (max-width: 760px) {
    .tl-row {
      grid-template-columns: 84px minmax(0, 1fr);
      gap: 8px;
    }
  }
`);
