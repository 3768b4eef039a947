// The days of a calendar as people see them: a year of small months, or one month with its names.
import { html, css, adopt, nothing } from "../../app/element.js";
import { href } from "../../app/router.js";
import { isoDay } from "../../app/time.js";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** How each kind of day is called. */
export const KINDS = {
  business: "business day",
  weekend: "weekend",
  holiday: "holiday",
  half_day: "half day",
  extra_working_day: "extra working day",
  unknown: "not known",
};

const column = (date) => (new Date(date + "T00:00:00Z").getUTCDay() + 6) % 7;
const isToday = (day) => day.date === isoDay(Date.now());
const says = (day) =>
  `${day.date}: ${KINDS[day.kind]}${day.name ? `, ${day.name}` : ""}${day.hours.length ? `, ${day.hours.join(" ")}` : ""}`;
const lead = (days) => Array.from({ length: column(days[0].date) }, () => html`<i></i>`);

/** @param days as the API tells them, of a whole year; @param params the state of the view */
export function yearView(days, params) {
  return html`<div class="year">
    ${MONTHS.map((name, m) => {
      const own = days.filter((day) => Number(day.date.slice(5, 7)) === m + 1);
      const month = own[0].date.slice(0, 7);
      return html`<section class="small-month" aria-label="${name} ${month.slice(0, 4)}">
        <h2><a href=${href("calendar", { ...params, month })}>${name}</a></h2>
        <div class="month-days">
          ${lead(own)}${own.map((day) => html`<a class="day ${day.kind} ${isToday(day) ? "today" : ""}" tabindex="-1" href=${href("calendar", { ...params, month, day: day.date })} title=${says(day)}>${Number(day.date.slice(8))}</a>`)}
        </div>
      </section>`;
    })}
  </div>`;
}

/** @param days of a month; @param chosen the date that is looked at */
export function monthView(days, params, chosen) {
  const cell = (day) =>
    html`<a
      class="day big ${day.kind} ${isToday(day) ? "today" : ""}"
      data-date=${day.date}
      aria-current=${day.date === chosen ? "date" : nothing}
      href=${href("calendar", { ...params, day: day.date })}
      title=${says(day)}
      ><b>${Number(day.date.slice(8))}</b
      ><span>${day.name || (day.kind === "business" || day.kind === "weekend" ? "" : KINDS[day.kind])}</span
      >${day.kind === "half_day" && day.hours.length ? html`<span>${day.hours.join(" ")}</span>` : nothing}</a
    >`;
  return html`<div class="month-head" aria-hidden="true">${WEEK.map((name) => html`<span>${name}</span>`)}</div>
    <div
      class="month-days big"
      role="group"
      aria-label="Days of ${days[0].date.slice(0, 7)}; arrow keys move"
      @keydown=${move}
    >
      ${lead(days)}${days.map(cell)}
    </div>`;
}

function move(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
  const days = [...event.currentTarget.querySelectorAll("a")];
  const to = days[days.indexOf(event.target.closest("a")) + step];
  if (!step || !to) return;
  event.preventDefault();
  to.focus();
}

/** Special days in words: the table behind the pictures. */
export function dayList(days, params) {
  const special = days.filter((day) => day.kind !== "business" && day.kind !== "weekend");
  if (!special.length) return html`<p class="soft">No holiday, half day or extra working day is known.</p>`;
  return html`<table class="day-list">
    <caption class="hidden">
      Special days
    </caption>
    <thead>
      <tr>
        <th scope="col">day</th>
        <th scope="col">is a</th>
        <th scope="col">name</th>
      </tr>
    </thead>
    <tbody>
      ${special.map(
        (day) =>
          html`<tr>
            <td class="nowrap">
              <a href=${href("calendar", { ...params, month: day.date.slice(0, 7), day: day.date })}
                >${WEEK[column(day.date)]} ${Number(day.date.slice(8))}
                ${MONTHS[Number(day.date.slice(5, 7)) - 1].slice(0, 3)}</a
              >
            </td>
            <td>
              ${KINDS[day.kind]}${day.kind === "half_day" && day.hours.length ? html` <span class="faint">${day.hours.join(" ")}</span>` : nothing}
            </td>
            <td>${day.name}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export const monthName = (month) => `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

adopt(css`
  calendar-view .year {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: 18px 26px;
  }
  .small-month h2 {
    color: var(--ink);
    margin-bottom: 6px;
  }
  .month-days {
    display: grid;
    grid-template-columns: repeat(7, minmax(0, 1fr));
    gap: 3px;
  }
  .month-days .day {
    text-align: center;
    font-size: 11px;
    line-height: 18px;
    border-radius: 3px;
    box-shadow: inset 0 0 0 1px var(--line);
    color: var(--soft);
  }
  .month-days .day:hover {
    text-decoration: none;
    box-shadow: inset 0 0 0 1px var(--faint);
  }
  .month-days .day.weekend {
    background: var(--sunken);
    box-shadow: none;
    color: var(--faint);
  }
  .month-days .day.holiday {
    background: var(--bad-bg);
    color: var(--bad);
    box-shadow: inset 0 0 0 1.5px var(--bad);
    font-weight: 600;
  }
  .month-days .day.half_day {
    background: linear-gradient(135deg, var(--skip-bg) 50%, transparent 50%);
    color: var(--skip);
    box-shadow: inset 0 0 0 1px var(--skip);
  }
  .month-days .day.extra_working_day {
    background: var(--ok-bg);
    color: var(--ok);
    box-shadow: inset 0 0 0 1px var(--ok);
  }
  .month-days .day.unknown {
    opacity: 0.6;
  }
  .month-head {
    display: grid;
    grid-template-columns: repeat(7, minmax(0, 1fr));
    gap: 4px;
    font-size: 12px;
    color: var(--faint);
    margin-bottom: 4px;
  }
  .month-days.big {
    gap: 4px;
  }
  .month-days .day.big {
    text-align: left;
    min-height: 64px;
    padding: 4px 8px;
    font-size: 13px;
    line-height: 1.4;
    overflow: hidden;
    overflow-wrap: anywhere;
    display: block;
  }
  .month-days .day.big b {
    display: block;
    font-weight: 550;
  }
  .month-days .day.big span {
    display: block;
    font-size: 11.5px;
  }
  .month-days .day.big[aria-current] {
    outline: 2px solid var(--accent);
    outline-offset: 0;
  }
  .month-days .day.today {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
    color: var(--ink);
    font-weight: 600;
  }
  @media (max-width: 1000px) {
    calendar-view .year {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @media (max-width: 760px) {
    calendar-view .year {
      gap: 14px;
    }
    .month-days .day.big {
      min-height: 48px;
      padding: 2px 4px;
      font-size: 11px;
    }
    .month-days .day.big span {
      display: none;
    }
  }
`);
