// How many fires are to come in each minute, of all schedules: the worst minutes, who is in them, and how to spread them.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ifMay } from "../app/actions.js";
import { serverNow } from "../app/clock.js";
import { atMostEvery } from "../app/live.js";
import { href } from "../app/router.js";
import { clock, day, moment, viewerZone } from "../app/time.js";
import { count, number } from "../app/words.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { heatMap } from "../parts/heat-map.js";
import { skeleton } from "../parts/skeleton-lines.js";
import "../parts/data-table.js";
import "../parts/answer-box.js";
import { spread } from "./forecast/spread.js";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const REFRESH = 5000;
const SOON = 5000; // what is asked for may not be over when it is asked
const NAMED = 3;

class ForecastView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    forecast: { state: true },
    minute: { state: true },
    failure: { state: true },
  };
  #asked = 0;

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen((event) => event.type.startsWith("schedule.") && refresh());
    this.aroundBreaks(refresh);
    addEventListener("forecast-changed", () => this.#load(), { signal: this.signal });
  }

  willUpdate(changed) {
    if (!changed.has("params")) return;
    const past = changed.get("params") ?? {};
    if (past.range !== this.params.range || !this.forecast) this.#load();
    if (past.minute !== this.params.minute) this.#loadMinute();
  }

  get #week() {
    return this.params.range === "week";
  }

  async #load() {
    const asked = ++this.#asked;
    const to = serverNow() + (this.#week ? 7 : 1) * DAY - MINUTE;
    try {
      const query = { to: new Date(to).toISOString() };
      const forecast = await api.get("forecast", { query, signal: this.signal });
      if (asked === this.#asked) [this.forecast, this.failure] = [forecast, undefined];
      if (this.params.minute) this.#loadMinute();
    } catch (failure) {
      if (!isAbort(failure) && asked === this.#asked) this.failure = failure;
    }
  }

  /* Who fires in one minute: the forecast of that minute alone. */
  async #loadMinute() {
    const at = Date.parse(this.params.minute ?? "");
    if (Number.isNaN(at) || at + MINUTE <= serverNow()) return void (this.minute = undefined);
    try {
      const alone = await this.#minuteAt(at);
      if (Date.parse(this.params.minute) === at) this.minute = alone;
    } catch (failure) {
      if (!isAbort(failure)) this.minute = { minute: new Date(at).toISOString(), failure };
    }
  }

  async #minuteAt(at) {
    const iso = (ms) => new Date(ms).toISOString();
    const query = { from: at > serverNow() + SOON ? iso(at) : undefined, to: iso(at + MINUTE) };
    const answer = await api.get("forecast", { query, signal: this.signal });
    return (
      answer.worst.find((one) => Date.parse(one.minute) === at) ?? {
        minute: new Date(at).toISOString(),
        fires: 0,
        schedules: 0,
        keys: [],
      }
    );
  }

  async #spread(minute, way) {
    const whole = await this.#minuteAt(Date.parse(minute.minute)).catch(() => minute);
    const done = await spread({ keys: whole.keys.length ? whole.keys : minute.keys, all: minute.schedules, way });
    if (done) this.#load();
  }

  /* A day: a row is an hour, a column a minute. A week: a row is a day, a column an hour, which shows its worst minute. */
  #rows(forecast) {
    const first = Date.parse(forecast.firstMinute);
    const fires = forecast.firesPerMinute;
    const step = this.#week ? HOUR : MINUTE;
    const long = this.#week ? DAY : HOUR;
    const cells = new Map();
    for (let i = 0; i < fires.length; i++) {
      const at = first + i * MINUTE;
      const cell = local(at, step);
      cells.set(cell, Math.max(cells.get(cell) ?? 0, fires[i]));
    }
    const rows = [];
    for (let begin = local(first, long); begin <= local(first + (fires.length - 1) * MINUTE, long); begin += long) {
      const label = this.#week ? day(utc(begin)) : clock(utc(begin));
      rows.push({
        label,
        cells: Array.from({ length: long / step }, (none, i) => {
          const at = begin + i * step;
          const value = cells.get(at) ?? 0;
          return {
            value,
            label: `${moment(utc(at))}: ${count(value, "fire")}${this.#week ? " in its worst minute" : ""}`,
            href: value
              ? href("forecast", {
                  ...this.params,
                  minute: this.#week ? worstIn(forecast, utc(at)) : new Date(utc(at)).toISOString(),
                })
              : undefined,
          };
        }),
      });
    }
    return rows;
  }

  #columns() {
    const every = this.#week ? 3 : 5;
    return Array.from({ length: (this.#week ? 24 : 60) / every }, (none, i) => ({
      at: i * every,
      label: this.#week ? `${i * every}:00` : `:${String(i * every).padStart(2, "0")}`,
    }));
  }

  #who = (minute) =>
    html`${minute.keys.slice(0, NAMED).map((key, i) => html`${i ? ", " : ""}<a href=${href("schedule", { key })}>${key}</a>`)}${minute.schedules > NAMED ? html` <a class="soft" href=${href("forecast", { ...this.params, minute: minute.minute })}>and ${number(minute.schedules - Math.min(NAMED, minute.keys.length))} more</a>` : nothing}`;

  #buttons = (minute) =>
    ifMay(
      "editor",
      () =>
        html`<span class="spread-buttons"
          ><button class="small" @click=${() => this.#spread(minute, "hash")}>With H…</button
          ><button class="small" @click=${() => this.#spread(minute, "jitter")}>With jitter…</button></span
        >`,
    );

  #worst(forecast) {
    const perMinute = (minute) => Math.max(1, Math.ceil(minute.fires / 60));
    return html`<section class="panel" aria-labelledby="worst-title">
      <h2 id="worst-title">The worst minutes, and what would help</h2>
      <div class="worst">
        <table>
          <thead>
            <tr>
              <th scope="col">minute</th>
              <th scope="col" class="right">fires</th>
              <th scope="col">who</th>
              <th scope="col" class="wide-only">if spread</th>
              <th scope="col"><span class="hidden">spread</span></th>
            </tr>
          </thead>
          <tbody>
            ${together(forecast.worst).map(
              (minute) =>
                html`<tr>
                  <td class="nowrap">
                    <a href=${href("forecast", { ...this.params, minute: minute.minute })}>${moment(minute.minute)}</a
                    >${minute.others ? html`<div class="faint">and ${count(minute.others, "more time")}</div>` : nothing}
                  </td>
                  <td class="right">${number(minute.fires)}</td>
                  <td class="who">${this.#who(minute)}</td>
                  <td class="wide-only nowrap"><b>${perMinute(minute)}</b> a minute</td>
                  <td class="right">${this.#buttons(minute)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${forecast.worst.some((minute) => minute.fires > 1) ? nothing : html`<p class="soft">No two schedules fire in the same minute.</p>`}
    </section>`;
  }

  #minutePanel() {
    const minute = this.minute;
    if (!this.params.minute || !minute) return nothing;
    return html`<section class="why minute" aria-labelledby="minute-title">
      <h2 id="minute-title">Who fires at ${moment(minute.minute)}</h2>
      ${
        minute.failure
          ? html`<p class="field-error">${minute.failure.message}</p>`
          : html`<p>${count(minute.fires, "fire")} of ${count(minute.schedules, "schedule")}.</p>
              <ul>
                ${minute.keys.map((key) => html`<li><a class="link" href=${href("schedule", { key })}>${key}</a></li>`)}
              </ul>
              ${minute.schedules > minute.keys.length ? html`<p class="soft">and ${number(minute.schedules - minute.keys.length)} more</p>` : nothing}${minute.fires > 1 ? this.#buttons(minute) : nothing}`
      }
      <a class="link" href=${href("forecast", { ...this.params, minute: undefined })}>Close</a>
    </section>`;
  }

  #capacity(forecast) {
    const { spreading, schedules } = forecast;
    return html`<section class="panel" aria-labelledby="capacity-title">
      <h2 id="capacity-title">At the peak</h2>
      <dl class="facts">
        <dt>now</dt>
        <dd>${count(spreading.peak, "fire")} a minute, ${(spreading.peak / 60).toFixed(1)} a second</dd>
        <dt>with H</dt>
        <dd>
          ${number(spreading.peakWithHash)}, if ${count(spreading.fixedMinute, "schedule")} with a fixed minute had it
        </dd>
        <dt>with jitter</dt>
        <dd>
          ${number(spreading.peakWithJitter)}, if ${count(spreading.withoutJitter, "schedule")} without any had
          ${spreading.jitter.slice(2).toLowerCase()}
        </dd>
        ${
          schedules.pausedWithoutEnd
            ? html`<dt>not counted</dt>
                <dd>${count(schedules.pausedWithoutEnd, "schedule")} paused without an end</dd>`
            : nothing
        }
        ${
          schedules.onlyNextKnown
            ? html`<dt>in part</dt>
                <dd>
                  ${count(schedules.onlyNextKnown, "schedule")} whose interval begins at the end of a run: only the next
                  fire is known
                </dd>`
            : nothing
        }
        ${
          schedules.withoutRules
            ? html`<dt>roughly</dt>
                <dd>
                  ${count(schedules.withoutRules, "schedule")} counted at their slots, as too many of them may be moved
                  by calendars or quiet hours
                </dd>`
            : nothing
        }
      </dl>
    </section>`;
  }

  #content(forecast) {
    if (!forecast.fires)
      return html`<div class="panel">
        ${emptyState("Nothing fires.", "No active schedule has a slot in this time.", html`<a class="btn" href=${href("schedules")}>To the schedules</a>`)}
      </div>`;
    const title = this.#week
      ? "The worst minute of each hour; a row is a day, a column an hour"
      : "Fires per minute; a row is an hour, a column a minute";
    return html`<div class="panel heat">
        <h2>${title}</h2>
        <div class="heat-scroll" tabindex="0" role="group" aria-label=${title}>
          ${heatMap({ title, rows: this.#rows(forecast), columns: this.#columns(), ...(this.#week ? { cell: 34, labelWidth: 76 } : {}) })}
        </div>
      </div>
      ${this.#minutePanel()}
      <div class="grid cols-52">${this.#worst(forecast)}${this.#capacity(forecast)}</div>`;
  }

  render() {
    const forecast = this.forecast;
    const worst = forecast?.worst[0];
    const range = (name, label) =>
      html`<a
        class="btn small"
        aria-current=${(this.params.range ?? "day") === name ? "true" : nothing}
        href=${href("forecast", { range: name === "day" ? undefined : name })}
        >${label}</a
      >`;
    return html`<div class="top">
        <div>
          <h1>Forecast</h1>
          <div class="soft">
            ${forecast ? html`${this.#week ? "the next 7 days" : "the next 24 hours"}, ${viewerZone} · ${count(forecast.fires, "fire")} of ${count(forecast.schedules.firing, "schedule")}${worst ? ` · busiest minute ${moment(worst.minute)} with ${number(worst.fires)}` : ""}` : nothing}
          </div>
        </div>
        <span class="grow"></span>
        <nav class="ranges" aria-label="How far">${range("day", "Day")}${range("week", "Week")}</nav>
      </div>
      ${forecast ? html`${staleNote(this.failure)}${this.#content(forecast)}` : this.failure ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>` : html`<div class="panel">${skeleton(12)}</div>`}`;
  }
}
customElements.define("forecast-view", ForecastView);

/* What fires together in several of the worst minutes is one herd. */
function together(worst) {
  const herds = new Map();
  for (const minute of worst.filter((one) => one.fires > 1)) {
    const herd = JSON.stringify([minute.fires, minute.schedules, minute.keys]);
    if (herds.has(herd)) herds.get(herd).others++;
    else herds.set(herd, { ...minute, others: 0 });
  }
  return [...herds.values()];
}

/* Rows are hours and days of the viewer's clock: its offset now is taken for all of them. */
const offset = () => -new Date().getTimezoneOffset() * MINUTE;
const local = (at, step) => Math.floor((at + offset()) / step) * step;
const utc = (at) => at - offset();

function worstIn(forecast, hour) {
  const first = Date.parse(forecast.firstMinute);
  let best = hour;
  for (let at = Math.max(hour, first); at < hour + HOUR; at += MINUTE) {
    if ((forecast.firesPerMinute[(at - first) / MINUTE] ?? 0) > (forecast.firesPerMinute[(best - first) / MINUTE] ?? 0))
      best = at;
  }
  return new Date(best).toISOString();
}

adopt(css`
  .ranges {
    display: flex;
    gap: 6px;
  }
  .ranges [aria-current] {
    background: var(--accent-bg);
    color: var(--accent);
    border-color: transparent;
  }
  .heat {
    margin-bottom: 16px;
  }
  .heat-scroll {
    overflow-x: auto;
  }
  .heat-scroll svg {
    min-width: 680px;
  }
  .minute {
    margin-bottom: 16px;
  }
  .minute ul {
    columns: 3;
    margin: 8px 0;
    padding-left: 18px;
    overflow-wrap: anywhere;
  }
  .worst {
    overflow-x: auto;
  }
  .worst .who {
    overflow-wrap: anywhere;
    min-width: min(200px, 30vw);
  }
  @media (min-width: 1001px) {
    .cols-52 {
      grid-template-columns: 5fr 2fr;
    }
  }
  .spread-buttons {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 6px;
    justify-content: flex-end;
  }
  .spread-plan {
    max-height: 260px;
    overflow: auto;
    overflow-wrap: anywhere;
  }
  .spread-plan td {
    padding: 4px 6px;
    font-size: 12.5px;
  }
  .spread-plan .key {
    display: inline-block;
    min-width: 90px;
  }
  @media (max-width: 760px) {
    .who {
      min-width: 90px;
    }
    .worst :is(.nowrap, button, th) {
      white-space: normal;
    }
    .worst :is(td, th) {
      padding-inline: 3px;
    }
    .minute ul {
      columns: 1;
    }
  }
`);
