// Calendars and quiet hours: which days and hours count, what is frozen, and how to freeze.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ask, ifMay, offer, toast } from "../app/actions.js";
import { serverNow } from "../app/clock.js";
import { href, router } from "../app/router.js";
import { session } from "../app/session.js";
import { count } from "../app/words.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { chip, mark } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";
import "./calendars/calendar-editor.js";
import { ACTIONS, freezeNow, frozenOf, isFreeze, thawNow } from "./calendars/freeze.js";
import { importHolidays } from "./calendars/import.js";
import { deleteQuietHours, editQuietHours } from "./calendars/quiet-hours.js";
import { weekStrip } from "./calendars/week-strip.js";

const REFRESH = 15_000;
const SOON = 90 * 86_400_000;

async function whole(list, signal) {
  const items = [];
  let cursor;
  do {
    const page = await api.get(list, { query: { limit: 500, cursor }, signal });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}

class CalendarsView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    calendars: { state: true },
    quiet: { state: true },
    failure: { state: true },
  };
  #withdraw;

  connectedCallback() {
    super.connectedCallback();
    this.#load();
    this.every(REFRESH, () => document.hidden || this.#load());
    this.#withdraw = offer({
      id: "freeze",
      title: "Freeze schedules…",
      role: "operator",
      run: this.#freeze,
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#withdraw?.();
  }

  async #load() {
    try {
      const [calendars, quiet] = await Promise.all(
        ["calendars", "quiet-hours"].map((list) => whole(list, this.signal)),
      );
      [this.calendars, this.quiet, this.failure] = [calendars, quiet, undefined];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #then = (work) => () => work().then((done) => done !== undefined && this.#load());

  #changed = () => this.#load();
  #freeze = this.#then(() => freezeNow(frozenOf(this.quiet ?? []), this.#changed));

  async #import() {
    const name = await importHolidays().catch((failure) => void toast(failure.message, { tone: "bad" }));
    if (name) router.open("calendar", { name });
  }

  async #new() {
    const named = await ask({
      title: "New calendar",
      fields: [{ name: "name", label: "Name", required: true }],
      confirm: "Go on",
      submit: (values) => values,
    });
    if (named) router.set({ new: named.name });
  }

  /* Who may change what concerns everything: not those whose scope leaves something out. */
  #ifMay = (role, what) => (session.reachesAll ? ifMay(role, what) : nothing);

  #columns() {
    const late = (one) => one.coverageUntil && new Date(one.coverageUntil) - serverNow() < SOON;
    return [
      {
        name: "name",
        title: "calendar",
        sort: (one) => one.name,
        cell: (one) =>
          html`<a class="key" href=${href("calendar", { name: one.name })}>${one.name}</a>
            <span class="faint">v${one.version}</span>
            <div class="soft">${one.description}</div>`,
      },
      {
        name: "zone",
        title: "zone",
        wide: true,
        sort: (one) => one.zone,
        cell: (one) => (one.combines?.length ? html`combines ${one.combines.join(", ")}` : one.zone),
      },
      { name: "holidays", title: "holidays", right: true, sort: (one) => one.holidays, cell: (one) => one.holidays },
      {
        name: "coverage",
        title: "known until",
        sort: (one) => one.coverageUntil,
        cell: (one) =>
          html`<span class="nowrap">${one.coverageUntil ?? ""}</span>
            ${late(one) ? chip("skip", "ends soon") : nothing}`,
      },
      {
        name: "updated",
        title: "saved",
        wide: true,
        sort: (one) => one.updatedAt,
        cell: (one) => html`${relativeText(one.updatedAt)} <span class="faint">by ${one.updatedBy}</span>`,
      },
    ];
  }

  #frozen() {
    return frozenOf(this.quiet ?? []).map(
      (frozen) =>
        html`<div class="frozen" role="status">
          ${mark("skip")}
          <div class="grow">
            <b
              >${frozen.tags.length ? `Schedules with the tag ${frozen.tags.join(", ")} are` : "Everything is"}
              frozen</b
            >
            ${frozen.freezes.map(
              ({ from, until, reason }) =>
                html`${new Date(from) > serverNow() ? html`from ${timeText(from)} ` : nothing}until ${timeText(until)}:
                ${reason}. `,
            )}<span class="soft">Meanwhile ${ACTIONS[frozen.action]}.</span>
          </div>
          ${this.#ifMay("operator", () => html`<button @click=${this.#then(() => thawNow(frozen, this.#changed))}>Thaw</button>`)}
        </div>`,
    );
  }

  #quietPanel(quiet) {
    return html`<section class="panel quiet-hours" data-name=${quiet.name}>
      <div class="top">
        <div class="grow">
          <b class="key">${quiet.name}</b> <span class="faint">v${quiet.version} · ${quiet.zone}</span>
          <div class="soft">
            ${ACTIONS[quiet.action]} · for
            ${quiet.everything ? "everything" : quiet.tags.length ? `schedules with ${quiet.tags.join(", ")}, and those that name them` : "schedules that name them"}${quiet.description ? ` · ${quiet.description}` : ""}
          </div>
        </div>
        ${this.#ifMay("editor", () => html`<span class="quiet-actions"><button class="small" @click=${this.#then(() => editQuietHours(quiet))}>Change…</button><button class="small" @click=${this.#then(() => deleteQuietHours(quiet))}>Delete</button></span>`)}
      </div>
      ${quiet.windows.length ? weekStrip(quiet.name, quiet.windows) : nothing}
      ${
        quiet.freezes.length
          ? html`<ul>
              ${quiet.freezes.map((freeze) => html`<li>${timeText(freeze.from)} to ${timeText(freeze.until)}${freeze.reason ? `: ${freeze.reason}` : ""}</li>`)}
            </ul>`
          : nothing
      }
    </section>`;
  }

  render() {
    if (this.failure && !this.calendars)
      return html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`;
    if (this.params.new && session.may("editor"))
      return html`<div class="top"><h1>New calendar ${this.params.new}</h1></div>
        <calendar-editor .name=${this.params.new}></calendar-editor>`;
    const quiet = this.quiet?.filter((one) => !isFreeze(one));
    return html`<div class="top">
        <h1>Calendars</h1>
        ${this.calendars ? html`<span class="soft">${count(this.calendars.length, "calendar")}, ${count(quiet.length, "quiet-hours rule")}</span>` : nothing}<span
          class="grow"
        ></span>
        ${this.#ifMay("operator", () => html`<button class="freeze-now" @click=${this.#freeze}>Freeze…</button>`)}
        ${this.#ifMay("editor", () => html`<button @click=${() => this.#new()}>New calendar…</button><button class="primary" @click=${() => this.#import()}>Import a country…</button>`)}
      </div>
      ${staleNote(this.failure)} ${this.#frozen()}
      <data-table
        caption="Calendars"
        .columns=${this.#columns()}
        .items=${this.calendars}
        .params=${this.params}
        .keyOf=${(one) => one.name}
        .empty=${emptyState("There is no calendar yet.", "A calendar says which days are business days, so that schedules can move or leave out what falls on a holiday. Import the holidays of a country to begin with.")}
      ></data-table>
      <div class="top quiet-top">
        <h2 class="second">Quiet hours</h2>
        <span class="grow"></span
        >${this.#ifMay("editor", () => html`<button @click=${this.#then(() => editQuietHours())}>New quiet hours…</button>`)}
      </div>
      ${!quiet ? skeleton(4) : quiet.length ? html`<div class="grid cols-2">${quiet.map((one) => this.#quietPanel(one))}</div>` : html`<div class="panel">${emptyState("No hours are quiet.", "Quiet hours are windows of the week in which runs wait, are left out, or become one.")}</div>`}`;
  }
}
customElements.define("calendars-view", CalendarsView);

adopt(css`
  .frozen {
    display: flex;
    gap: 12px;
    align-items: center;
    background: var(--skip-bg);
    border: 1px solid color-mix(in srgb, var(--skip) 35%, transparent);
    border-radius: var(--r);
    padding: 12px 16px;
    margin-bottom: 12px;
    overflow-wrap: anywhere;
  }
  calendars-view td[data-column="name"] {
    overflow-wrap: anywhere;
    min-width: 120px;
  }
  @media (max-width: 760px) {
    calendars-view .sort {
      white-space: normal;
      text-align: inherit;
    }
  }
  .quiet-top {
    margin: 24px 0 12px;
  }
  h2.second {
    font-size: 16px;
    color: var(--ink);
    margin: 0;
  }
  .quiet-hours {
    overflow-wrap: anywhere;
  }
  .quiet-hours .top {
    margin-bottom: 10px;
    align-items: start;
  }
  .quiet-hours .top > .grow {
    min-width: 160px;
  }
  .quiet-actions {
    display: flex;
    gap: 6px;
  }
  .quiet-hours ul {
    margin: 8px 0 0;
    padding-left: 18px;
  }
`);
