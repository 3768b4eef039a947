// One calendar: its year or a month of it, who uses it, its versions, and its editor.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ask, ifMay, toast } from "../app/actions.js";
import { serverNow } from "../app/clock.js";
import { href, router } from "../app/router.js";
import { session } from "../app/session.js";
import { isoDay } from "../app/time.js";
import { count } from "../app/words.js";
import { emptyState, failureState } from "../parts/empty-state.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { chip } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";
import "../parts/answer-box.js";
import "./calendars/calendar-editor.js";
import { KINDS, dayList, monthName, monthView, yearView } from "./calendars/days.js";
import { importHolidays } from "./calendars/import.js";
import { changeList, previewOf, userLinks } from "./calendars/preview.js";

const next = (month) =>
  month.endsWith("-12")
    ? `${Number(month.slice(0, 4)) + 1}-01`
    : `${month.slice(0, 5)}${String(Number(month.slice(5)) + 1).padStart(2, "0")}`;
const before = (month) =>
  month.endsWith("-01")
    ? `${Number(month.slice(0, 4)) - 1}-12`
    : `${month.slice(0, 5)}${String(Number(month.slice(5)) - 1).padStart(2, "0")}`;
const keep = ["name", "year"];
const named = (weekday) => weekday[0].toUpperCase() + weekday.slice(1);

class CalendarView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    calendar: { state: true },
    days: { state: true },
    users: { state: true },
    versions: { state: true },
    diff: { state: true },
    failure: { state: true },
  };
  #shown = "";

  willUpdate(changed) {
    if (!changed.has("params")) return;
    const past = changed.get("params") ?? {};
    if (past.name !== this.params.name || (past.edit && !this.params.edit) || !this.calendar) {
      [this.calendar, this.days, this.users, this.versions, this.diff, this.#shown] = [
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        "",
      ];
      this.#load();
    }
    this.#loadDays();
    if (past.version !== this.params.version) this.#loadDiff();
  }

  get #month() {
    return /^\d{4}-(0[1-9]|1[0-2])$/.test(this.params.month) ? this.params.month : undefined;
  }

  /* What an address says wrongly is as if it did not say it. */
  get #year() {
    const year = this.#month?.slice(0, 4) ?? this.params.year;
    return /^\d{4}$/.test(year) ? year : isoDay(serverNow()).slice(0, 4);
  }

  async #load() {
    const name = this.params.name ?? "";
    router.title(name);
    try {
      this.failure = undefined;
      this.calendar = await api.get(api.path`calendars/${name}`, { signal: this.signal });
      const [users, versions] = await Promise.all([
        session.reachesAll
          ? api.get(api.path`calendars/${name}/users`, { query: { limit: 50 }, signal: this.signal })
          : undefined,
        api.get(api.path`calendars/${name}/versions`, { query: { limit: 50 }, signal: this.signal }),
      ]);
      [this.users, this.versions] = [users, versions.items];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  async #loadDays() {
    const year = this.#year;
    const wanted = `${this.params.name} ${year}`;
    if (this.#shown === wanted) return;
    this.#shown = wanted;
    try {
      const answer = await api.get(api.path`calendars/${this.params.name ?? ""}/days`, {
        query: { from: `${year}-01-01`, to: `${Number(year) + 1}-01-01` },
        signal: this.signal,
      });
      if (this.#shown === wanted) this.days = answer;
    } catch (failure) {
      if (!isAbort(failure) && this.#shown === wanted) this.failure = failure;
    }
  }

  /* What a version changed: its differences from the one before. */
  async #loadDiff() {
    const version = Number(this.params.version);
    this.diff = undefined;
    if (!(version > 1)) return;
    try {
      this.diff = await api.get(api.path`calendars/${this.params.name}/versions/${version - 1}/diff`, {
        query: { to: version },
        signal: this.signal,
      });
    } catch (failure) {
      if (!isAbort(failure)) toast(failure.message, { tone: "bad" });
    }
  }

  async #import() {
    const done = await importHolidays(this.params.name).catch(
      (failure) => void toast(failure.message, { tone: "bad" }),
    );
    if (done) {
      [this.#shown] = [""];
      this.#load();
      this.#loadDays();
    }
  }

  async #restore(version) {
    const path = api.path`calendars/${this.params.name}`;
    const headers = { "If-Match": `"${this.calendar.version}"` };
    try {
      const {
        name,
        version: old,
        reason,
        updatedAt,
        updatedBy,
        warnings,
        ...definition
      } = await api.get(`${path}/versions/${version}`);
      for (const empty of Object.keys(definition)) if (definition[empty] === null) delete definition[empty];
      const dry = await api.put(path, definition, { query: { dryRun: true }, headers });
      const done = await ask({
        title: `Bring version ${version} of ${this.params.name} back?`,
        says: previewOf(dry),
        fields: [{ name: "reason", label: "Reason, kept with the version" }],
        confirm: "Bring it back",
        submit: (values) => api.put(path, definition, { query: values, headers }),
      });
      if (done) {
        toast(`${this.params.name} is saved as version ${done.version}.`);
        this.#shown = "";
        this.#load();
        this.#loadDays();
      }
    } catch (failure) {
      toast(failure.message, { tone: "bad" });
    }
  }

  async #delete() {
    const done = await ask({
      title: `Delete ${this.params.name}?`,
      says: "Nothing may use it. Its versions are gone with it.",
      confirm: "Delete",
      danger: true,
      submit: () => api.delete(api.path`calendars/${this.params.name}`),
    });
    if (done) {
      toast(`${this.params.name} is deleted.`);
      router.open("calendars");
    }
  }

  #head(calendar) {
    const hours = Object.entries(calendar.hours ?? {});
    const same = hours.length && hours.every(([, spans]) => spans.join() === hours[0][1].join());
    const facts = [
      calendar.combines?.length
        ? `combines ${calendar.combines.join(", ")}`
        : `weekend ${(calendar.weekend ?? []).map(named).join(" and ") || "none"}`,
      hours.length ? (same ? `open ${hours[0][1].join(" ")}` : "hours by weekday") : "",
      calendar.zone ?? "",
      calendar.coverageUntil ? `known until ${calendar.coverageUntil}` : "",
      this.users ? `used by ${count(this.users.schedules, "schedule")}` : "",
    ];
    return html`<div class="top">
        <div class="calendar-head">
          <h1>${calendar.name}</h1>
          <div class="soft">
            ${calendar.description ? html`${calendar.description} · ` : nothing}${facts.filter(Boolean).join(" · ")}
          </div>
        </div>
        <span class="grow"></span>
        ${ifMay("editor", () => html`<button @click=${() => this.#delete()}>Delete…</button>${calendar.combines?.length ? nothing : html`<button @click=${() => this.#import()}>Import…</button>`}<a class="btn primary" href=${href("calendar", { name: calendar.name, edit: 1 })}>Edit</a>`)}
      </div>
      ${(calendar.warnings ?? []).map((warning) => html`<p class="warning">${warning.message}</p>`)}`;
  }

  #pages() {
    const kept = Object.fromEntries(keep.map((name) => [name, this.params[name]]));
    const month = this.#month;
    const link = (label, params, rel) =>
      html`<a class="btn small" rel=${rel ?? nothing} href=${href("calendar", { ...kept, ...params })}>${label}</a>`;
    if (month)
      return html`<nav class="calendar-pages" aria-label="Months">
        ${link("←", { month: before(month), year: undefined }, "prev")}<b>${monthName(month)}</b>${link("→", { month: next(month), year: undefined }, "next")}${link("The year", { year: month.slice(0, 4) })}
      </nav>`;
    const year = Number(this.#year);
    return html`<nav class="calendar-pages" aria-label="Years">
      ${link("←", { year: year - 1 }, "prev")}<b>${year}</b>${link("→", { year: year + 1 }, "next")}<span class="soft"
        >${this.days ? `${this.days.businessDays} business days` : ""}</span
      >
    </nav>`;
  }

  #days() {
    if (!this.days) return skeleton(10);
    const { day, edit, version, ...params } = this.params;
    if (!this.#month) return yearView(this.days.days, params);
    const own = this.days.days.filter((one) => one.date.startsWith(this.#month + "-"));
    if (!own.length) return skeleton(6);
    const chosen = own.find((one) => one.date === day);
    return html`${monthView(own, params, day)}${chosen ? html`<div class="why chosen-day" role="status"><b>${chosen.date}</b>: ${KINDS[chosen.kind]}${chosen.name ? `, ${chosen.name}` : ""}. ${chosen.because}</div>` : nothing}`;
  }

  #versions() {
    const rows = (this.versions ?? []).map(
      (one) =>
        html`<tr>
            <td>
              <a class="link" href=${href("calendar", { ...this.params, version: one.version })}
                >version ${one.version}</a
              >
              ${one.version === this.calendar.version ? chip("wait", "current") : nothing}
            </td>
            <td class="nowrap">
              ${timeText(one.updatedAt)} <span class="faint wide-only">${relativeText(one.updatedAt)}</span>
            </td>
            <td>${one.updatedBy}</td>
            <td>${one.reason}</td>
            <td class="right">
              ${one.version === this.calendar.version ? nothing : ifMay("editor", () => html`<button class="small" @click=${() => this.#restore(one.version)}>Bring back…</button>`)}
            </td>
          </tr>
          ${
            String(one.version) === this.params.version
              ? html`<tr>
                  <td colspan="5">
                    ${this.diff ? (this.diff.changes.length ? changeList(this.diff.changes) : "Nothing differs from the version before.") : one.version === 1 ? "The first version." : nothing}
                  </td>
                </tr>`
              : nothing
          }`,
    );
    return html`<section class="panel" aria-labelledby="versions-title">
      <h2 id="versions-title">Versions, and what each changed</h2>
      <table class="versions">
        <thead>
          <tr>
            <th scope="col">version</th>
            <th scope="col">saved</th>
            <th scope="col">by</th>
            <th scope="col">reason</th>
            <th scope="col"><span class="hidden">actions</span></th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </section>`;
  }

  render() {
    if (this.failure?.status === 404)
      return html`<div class="panel">
        ${emptyState("There is no such calendar.", "It may have been deleted.", html`<a class="btn" href=${href("calendars")}>To the calendars</a>`)}
      </div>`;
    if (this.failure)
      return html`<div class="panel">
        ${failureState(this.failure, () => ((this.#shown = ""), this.#load(), this.#loadDays()))}
      </div>`;
    if (!this.calendar)
      return html`<div class="top"><h1>${this.params.name}</h1></div>
        <div class="panel">${skeleton(10)}</div>`;
    if (this.params.edit && session.may("editor"))
      return html`<div class="top">
          <div>
            <h1>Edit ${this.calendar.name}</h1>
            <div class="soft">will become version ${this.calendar.version + 1}</div>
          </div>
        </div>
        <calendar-editor .name=${this.calendar.name} .calendar=${this.calendar}></calendar-editor>`;
    return html`${this.#head(this.calendar)}
      <div class="panel calendar-days">${this.#pages()}${this.#days()}</div>
      <div class="grid cols-32 calendar-below">
        <section class="panel" aria-labelledby="special-title">
          <h2 id="special-title">Special days of ${this.#month ? monthName(this.#month) : this.#year}</h2>
          <div class="special" tabindex="0" role="group" aria-label="Special days">
            ${
              this.days
                ? dayList(
                    this.days.days.filter((day) => !this.#month || day.date.startsWith(this.#month)),
                    { name: this.params.name },
                  )
                : skeleton(4)
            }
          </div>
        </section>
        ${
          this.users
            ? html`<section class="panel" aria-labelledby="users-title">
                <h2 id="users-title">Who uses it</h2>
                ${userLinks(this.users)}
              </section>`
            : nothing
        }
      </div>
      ${this.versions ? this.#versions() : nothing}`;
  }
}
customElements.define("calendar-view", CalendarView);

adopt(css`
  .calendar-head {
    flex: 100 1 360px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .calendar-pages {
    display: flex;
    gap: 10px;
    align-items: center;
    margin-bottom: 14px;
  }
  .calendar-days,
  .calendar-below {
    margin-bottom: 16px;
  }
  .calendar-below {
    align-items: start;
  }
  .chosen-day {
    margin-top: 10px;
  }
  .special {
    max-height: 320px;
    overflow: auto;
  }
  .special td,
  calendar-view .versions td {
    overflow-wrap: anywhere;
    padding: 5px 8px;
  }
  @media (max-width: 760px) {
    calendar-view .versions :is(.nowrap, button) {
      white-space: normal;
    }
  }
  .warning {
    color: var(--skip);
    background: var(--skip-bg);
    border-radius: 6px;
    padding: 8px 12px;
  }
`);
