// Who changed what, the newest first, with its filters in the address.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { atMostEvery } from "../app/live.js";
import { href } from "../app/router.js";
import { emptyState, orFailure } from "../parts/empty-state.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";
import "../parts/filter-bar.js";

const FILTERS = [
  { name: "schedule", label: "schedule" },
  { name: "actor", label: "who" },
  { name: "action", label: "action" },
];
const PAGE = 50;
const REFRESH = 3000;
const WORDS = {
  "console_session.created": "signed in",
  "console_session.ended": "signed out",
  "schedule.run": "ran the schedule",
  "target.put": "defined the target",
};

class AuditView extends CarillonElement {
  static properties = { params: { attribute: false }, page: { state: true }, failure: { state: true } };
  #asked = 0;

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen((event) => event.type.startsWith("run.") || refresh());
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
    const { schedule, actor, action, cursor } = this.params;
    try {
      const page = await api.get("audit", {
        query: { schedule, actor, action, cursor, limit: PAGE },
        signal: this.signal,
      });
      if (asked === this.#asked) [this.page, this.failure] = [page, undefined];
    } catch (failure) {
      if (!isAbort(failure) && asked === this.#asked) this.failure = failure;
    }
  }

  #columns() {
    const narrow = (changes) => href("audit", { ...this.params, ...changes, cursor: undefined });
    return [
      {
        name: "at",
        title: "when",
        cell: (line) =>
          html`<span class="nowrap">${timeText(line.at, { seconds: true })}</span>
            <div class="faint wide-only nowrap">${relativeText(line.at)}</div>`,
      },
      {
        name: "actor",
        title: "who",
        cell: (line) => html`<a class="audit-who" href=${narrow({ actor: line.actor })}>${line.actor}</a>`,
      },
      {
        name: "action",
        title: "what",
        cell: (line) =>
          html`<a href=${narrow({ action: line.action })} title=${line.action}>${words(line.action)}</a
            >${line.schedule ? html` <a class="key" href=${href("schedule", { key: line.schedule })}>${line.schedule}</a>` : nothing}
            <div class="only-small soft">${this.#details(line)}</div>`,
      },
      { name: "details", title: "details", wide: true, cell: (line) => this.#details(line) },
    ];
  }

  #details(line) {
    const all = Object.entries(line.details ?? {}).filter(([, value]) => value !== null);
    const plain = all.filter(([, value]) => isPlain(value));
    const nested = all.filter(([, value]) => !isPlain(value));
    return html`<span class="audit-plain"
        >${plain.map(([name, value]) => html`<span><span class="faint">${spaced(name)}</span> ${said(name, value)}</span>`)}</span
      >
      ${
        nested.length
          ? html`<details>
              <summary>${nested.map(([name]) => spaced(name)).join(", ")}</summary>
              <pre class="mono audit-json" tabindex="0">${JSON.stringify(Object.fromEntries(nested), null, 2)}</pre>
            </details>`
          : nothing
      }`;
  }

  #empty() {
    return FILTERS.some((filter) => this.params[filter.name])
      ? emptyState(
          "Nothing in the audit is like that.",
          "Take a filter away to see more.",
          html`<a class="btn" href=${href("audit")}>Show all</a>`,
        )
      : emptyState(
          "Nobody has changed anything yet.",
          "Every change of schedules, targets, calendars and tokens is kept here, with who made it.",
        );
  }

  render() {
    return html`<div class="top">
        <h1>Audit</h1>
        <span class="soft">who changed what, the newest first</span>
      </div>
      <filter-bar .filters=${FILTERS} .params=${this.params}></filter-bar>
      ${orFailure(
        this.failure,
        this.page,
        () => this.#load(),
        html`<data-table
          caption="Changes"
          .columns=${this.#columns()}
          .items=${this.page?.items}
          .nextCursor=${this.page?.nextCursor}
          .params=${this.params}
          .keyOf=${(line) => line.id}
          .empty=${this.#empty()}
        ></data-table>`,
      )}`;
  }
}
customElements.define("audit-view", AuditView);

/* schedule.paused: paused the schedule; quiet_hours.deleted: deleted the quiet hours */
function words(action) {
  const [what, done] = action.split(".");
  return WORDS[action] ?? (done ? `${spaced(done)} the ${spaced(what)}` : spaced(action));
}

const isPlain = (value) =>
  typeof value !== "object" ||
  (Array.isArray(value) && value.length <= 5 && value.every((one) => typeof one !== "object"));
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z$/;

function said(name, value) {
  if (name === "run") return html`<a class="link mono" href=${href("run", { id: value })}>${value}</a>`;
  if (Array.isArray(value)) return value.join(", ");
  return INSTANT.test(value) ? timeText(value) : String(value);
}

const spaced = (name) =>
  name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);

adopt(css`
  audit-view td[data-column="actor"] {
    min-width: 84px;
  }
  audit-view .audit-who {
    overflow-wrap: anywhere;
  }
  audit-view .audit-plain {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0 14px;
    overflow-wrap: anywhere;
  }
  audit-view td[data-column="details"] {
    max-width: 480px;
  }
  audit-view .audit-json {
    margin: 6px 0 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-height: 280px;
    overflow: auto;
    background: var(--sunken);
    padding: 10px;
    border-radius: 6px;
  }
  audit-view summary {
    cursor: pointer;
    color: var(--accent);
    font-size: 12.5px;
  }
  audit-view .only-small {
    display: none;
  }
  @media (max-width: 760px) {
    audit-view .only-small {
      display: block;
    }
  }
`);
