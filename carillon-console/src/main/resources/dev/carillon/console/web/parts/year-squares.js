// A year as squares, a column a week, Monday first: what was is filled, what is to come is an outline. One is reached by Tab,
// the others by the arrow keys; each is a button that asks about its day. The same numbers are a table behind it.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { chartTable } from "./chart-frame.js";

const DAY = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Mon", "", "Wed", "", "Fri", "", ""];

/**
 * days: a map from 2026-11-17 to `{ tone, label, future? }`; today: such a text; `weeks` before and after it
 * selected: the day that is asked about; `choose` is called with the day
 */
class YearSquares extends CarillonElement {
  static properties = {
    days: { attribute: false },
    today: {},
    selected: {},
    choose: { attribute: false },
    label: {},
    before: { type: Number },
    after: { type: Number },
    at: { state: true },
  };

  constructor() {
    super();
    this.before = 45;
    this.after = 7;
  }

  #all() {
    const today = Date.parse(this.today + "T00:00:00Z");
    const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY;
    const first = monday - this.before * 7 * DAY;
    return Array.from({ length: (this.before + this.after + 1) * 7 }, (_, i) =>
      new Date(first + i * DAY).toISOString().slice(0, 10),
    );
  }

  #key(event, all) {
    const step = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }[event.key];
    const from = all.indexOf(event.target.dataset.day);
    if (!step || from < 0 || !all[from + step]) return;
    event.preventDefault();
    this.at = all[from + step];
    this.updateComplete.then(() => this.querySelector(`[data-day="${this.at}"]`)?.focus());
  }

  render() {
    const all = this.#all();
    const reached = this.at ?? this.selected ?? this.today;
    const one = (day) => {
      const found = this.days.get(day);
      const says = `${day}: ${found?.label ?? "nothing"}`;
      return html`<button
        class="square ${found ? (found.future ? "to-come" : found.tone) : "none"} ${day === this.today ? "today" : ""}"
        data-day=${day}
        tabindex=${day === reached ? 0 : -1}
        aria-pressed=${day === this.selected ? "true" : "false"}
        aria-label=${says}
        title=${says}
        @click=${() => this.choose(day)}
      ></button>`;
    };
    const weeks = Array.from({ length: all.length / 7 }, (_, week) => all.slice(week * 7, week * 7 + 7));
    const month = (week, i) => {
      const start = week.find((day) => day.endsWith("-01"));
      return html`<span class="month"
        >${start && i < weeks.length - 1 ? MONTHS[Number(start.slice(5, 7)) - 1] : nothing}</span
      >`;
    };
    const told = all.filter((day) => this.days.has(day));
    return html`<figure class="year" aria-label=${this.label}>
      <div class="year-scroll" role="group" aria-label=${this.label} @keydown=${(event) => this.#key(event, all)}>
        <div class="week weekdays" aria-hidden="true">
          ${WEEKDAYS.map((name) => html`<span>${name}</span>`)}<span></span>
        </div>
        ${weeks.map((week, i) => html`<div class="week">${week.map(one)}${month(week, i)}</div>`)}
      </div>
      ${chartTable(
        this.label,
        ["day", "what"],
        told.map((day) => [day, this.days.get(day).label]),
      )}
    </figure>`;
  }

  updated() {
    const scroll = this.querySelector(".year-scroll");
    if (scroll && !this.shown) scroll.scrollLeft = scroll.scrollWidth;
    this.shown = true;
  }
}
customElements.define("year-squares", YearSquares);

adopt(css`
  year-squares .year {
    margin: 0;
  }
  .year-scroll {
    display: flex;
    gap: 3px;
    overflow-x: auto;
    padding: 3px;
  }
  .week {
    display: grid;
    grid-template-rows: repeat(7, 13px) 16px;
    gap: 3px;
    flex: 1 0 11px;
    min-width: 11px;
    max-width: 24px;
  }
  .weekdays {
    flex: 0 0 28px;
    max-width: none;
    font-size: 11px;
    color: var(--faint);
    line-height: 13px;
  }
  .square {
    padding: 0;
    border: 0;
    border-radius: 3px;
    background: var(--sunken);
    min-width: 0;
  }
  .square.ok {
    background: var(--ok);
    opacity: 0.85;
  }
  .square.run {
    background: var(--run);
  }
  .square.bad {
    background: linear-gradient(45deg, var(--bad) 42%, var(--panel) 42% 52%, var(--bad) 52%);
  }
  .square.skip {
    background: linear-gradient(135deg, var(--skip) 50%, var(--skip-bg) 50%);
  }
  .square.to-come {
    background: none;
    border: 1px dashed var(--wait);
  }
  .square.to-come.none {
    border: 0;
  }
  .square:hover {
    outline: 1px solid var(--ink);
  }
  .square.today {
    box-shadow: 0 0 0 1.5px var(--accent);
  }
  .square[aria-pressed="true"] {
    outline: 2px solid var(--focus);
    outline-offset: 1px;
  }
  .month {
    font-size: 11px;
    color: var(--faint);
    white-space: nowrap;
    overflow: visible;
    width: 0;
  }
`);
