// One schedule: its definition in words, its past and its future, why it did or did not run, and all that can be done with it.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ifMay, offer } from "../app/actions.js";
import { serverNow } from "../app/clock.js";
import { atMostEvery } from "../app/live.js";
import { href, router } from "../app/router.js";
import { clock, duration, isoDay, moment, relative, viewerZone } from "../app/time.js";
import { count, stateOf, TRIGGERS } from "../app/words.js";
import { barChart } from "../parts/bar-chart.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { lineChart } from "../parts/line-chart.js";
import { pause, resume, retire, runNow } from "../parts/schedule-actions.js";
import { facts, isOver, span, stateOfSchedule, zoneOf } from "../parts/schedule-words.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { chip, status } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import { followsCalendar } from "../parts/timing-kinds.js";
import { yearOf } from "../parts/year-of-schedule.js";
import "../parts/backfill-panel.js";
import "../parts/data-table.js";
import "../parts/version-list.js";
import "../parts/why-box.js";
import "../parts/year-squares.js";

const REFRESH = 2000;
const RUNS = 60;
const SHOWN = 10;
const NEXT = 20;
const LONG = 300;
const SHORT = 400;
const YEAR = 366 * 86_400_000;

/* A timing that follows a calendar and names no zone is read on the calendar's clock. */
async function withZone(schedule, signal) {
  if (!followsCalendar(schedule.timing) || schedule.timing.zone) return schedule;
  const calendar = await api.get(api.path`calendars/${schedule.timing.calendar}`, { signal });
  return { ...schedule, calendarZone: calendar.zone };
}

class ScheduleView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    schedule: { state: true },
    runs: { state: true },
    fires: { state: true },
    year: { state: true },
    audit: { state: true },
    failure: { state: true },
  };
  #withdraw = [];

  connectedCallback() {
    super.connectedCallback();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen((event) => event.data.schedule === this.params.key && refresh());
    this.aroundBreaks(refresh);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#withdraw.splice(0).forEach((withdraw) => withdraw());
  }

  willUpdate(changed) {
    if (changed.has("params") && changed.get("params")?.key !== this.params.key) {
      this.schedule = this.runs = this.fires = this.year = this.audit = this.failure = undefined;
      this.#load();
    }
  }

  async #load() {
    const { key } = this.params;
    if (!key) return;
    const signal = this.signal;
    const path = (part = "") => api.path`schedules/${key}` + part;
    try {
      this.schedule = await withZone(await api.get(path(), { signal }), signal);
      router.title(key);
      this.failure = undefined;
      const to = new Date(serverNow() + YEAR).toISOString();
      const [runs, fires, notes, audit] = await Promise.all([
        api.get("runs", { query: { schedule: key, limit: RUNS }, signal }),
        api.get(path("/fires"), { query: { to, limit: NEXT }, signal }),
        api
          .post(
            "timings/explain",
            {
              timing: this.schedule.timing,
              count: NEXT,
              calendar: this.schedule.calendar ?? undefined,
              quietHours: this.schedule.quietHours ?? undefined,
            },
            { signal },
          )
          .catch(() => ({ fires: [] })),
        api.get("audit", { query: { schedule: key, limit: 8 }, signal }),
      ]);
      if (key !== this.params.key) return;
      const noted = new Map(notes.fires.map((fire) => [fire.slot, fire]));
      this.runs = runs.items;
      this.fires = fires.items.map((fire) => ({
        ...fire,
        note: noted.get(fire.slot)?.note,
        moves: noted.get(fire.slot)?.moves ?? [],
      }));
      this.audit = audit.items;
      this.year = await yearOf(this.schedule, signal);
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
    this.#offer();
  }

  #offer() {
    this.#withdraw.splice(0).forEach((withdraw) => withdraw());
    if (!this.schedule || !this.isConnected || isOver(this.schedule)) return;
    const { key } = this.schedule;
    this.#withdraw = [
      offer({ id: "schedule-run", title: `Run ${key} now`, role: "operator", run: () => this.#do(runNow) }),
      offer({
        id: "schedule-pause",
        title: this.schedule.status === "paused" ? `Resume ${key}` : `Pause ${key}`,
        role: "operator",
        run: () => this.#do(this.schedule.status === "paused" ? resume : pause),
      }),
      offer({ id: "schedule-edit", title: `Edit ${key}`, role: "editor", run: () => router.open("editor", { key }) }),
    ];
  }

  #do(action) {
    return action(this.schedule).then(() => this.#load());
  }

  #head() {
    const { schedule } = this;
    const state = stateOfSchedule(schedule);
    return html`<div class="top">
      <div>
        <h1 class="schedule-key">${schedule.key} ${chip(state.tone, state.word)}</h1>
        ${schedule.description ? html`<div class="soft description" tabindex=${schedule.description.length > LONG ? 0 : nothing} role=${schedule.description.length > LONG ? "group" : nothing} aria-label=${schedule.description.length > LONG ? "Description" : nothing}>${schedule.description}</div>` : nothing}
        <div class="soft">
          version ${schedule.version} by ${schedule.updatedBy}, ${relative(schedule.updatedAt)}
          ${schedule.tags.map((tag) => html`<a class="tag" href=${href("schedules", { tag })}>${tag}</a> `)}
        </div>
        ${schedule.pauseReason ? html`<div>Paused: <b>${schedule.pauseReason}</b></div>` : nothing}
        ${schedule.comingPause ? html`<div>Pauses ${moment(schedule.comingPause.from)}: <b>${schedule.comingPause.reason}</b></div>` : nothing}
        ${state.tone === "bad" ? this.#cause() : nothing}
        ${(schedule.warnings ?? []).map((warning) => html`<div class="lint">${warning.message}</div>`)}
      </div>
      <span class="grow"></span>
      <div class="deeds">
        ${isOver(schedule) ? ifMay("editor", () => html`<a class="btn" href=${href("editor", { key: schedule.key })}>Bring it back…</a>`) : this.#deeds()}
      </div>
    </div>`;
  }

  /* What the latest failure said, while it fails. */
  #cause() {
    const run = this.runs?.find((one) => one.state === "failed");
    return run
      ? html`<div class="lint cause">
          Last failure: <b>${run.failure?.message || run.failure?.code || run.reason}</b>
          <a class="link" href=${href("run", { id: run.id })}>The run</a>
        </div>`
      : nothing;
  }

  #deeds() {
    const { schedule } = this;
    return html`${ifMay(
      "operator",
      () =>
        html`<button @click=${() => this.#do(runNow)}>Run now…</button>
          ${schedule.status === "paused" || schedule.comingPause ? html`<button @click=${() => this.#do(resume)}>Resume</button>` : html`<button @click=${() => this.#do(pause)}>Pause…</button>`}
          <button
            aria-expanded=${this.params.backfill ? "true" : "false"}
            @click=${() => router.set({ backfill: this.params.backfill ? undefined : 1 })}
          >
            Backfill…
          </button>`,
    )}
    ${ifMay("editor", () => html`<a class="btn" href=${href("editor", { key: schedule.key })}>Edit</a> <button class="danger" @click=${() => this.#do(retire)}>Retire…</button>`)}`;
  }

  #asked() {
    if (Date.parse(this.params.at)) return this.params.at;
    const last = this.runs?.find((run) => run.trigger === "scheduled" && run.finishedAt);
    return (last && last.state !== "succeeded" ? last.slot : this.schedule.next[0]) ?? this.schedule.lastRun?.slot;
  }

  #choose(day) {
    const found = this.year.get(day);
    const at = found?.at ?? `${day}T12:00:00Z`;
    router.set({ at });
    this.querySelector(".why")?.scrollIntoView({ block: "nearest" });
  }

  #reason(text) {
    return (text ?? "")
      .replaceAll("_", " ")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => moment(at, { zone: zoneOf(this.schedule) }))
      .replace(/^merged: /, "one run with ");
  }

  #marks(fire) {
    const moved = new Date(fire.dueAt) - new Date(fire.slot);
    const { jitter } = this.schedule;
    const slight = jitter && jitter !== "PT0S" && !fire.moves.length;
    return html`${fire.decision === "will_not_run" ? chip("skip", `will not run: ${this.#reason(fire.reason)}`) : fire.reason ? chip("wait", this.#reason(fire.reason)) : nothing}
    ${fire.note ? chip("skip", fire.note) : nothing}
    ${moved === 0 || fire.decision === "will_not_run" ? nothing : slight ? chip("wait", `jitter ${moved > 0 ? "+" : "−"}${duration(Math.abs(moved))}`) : html`${chip("skip", `moved to ${moment(fire.dueAt, { zone: zoneOf(this.schedule) })}`)}${fire.moves.map((move) => html`<span class="soft move">${move.because}</span>`)}`}`;
  }

  #next() {
    const zone = zoneOf(this.schedule);
    if (!this.fires) return skeleton(5);
    if (!this.fires.length)
      return html`<p class="soft">${this.schedule.status === "paused" ? "None until it is resumed." : "None."}</p>`;
    return html`<ol class="fires">
      ${this.fires.map((fire, i) => html`<li><a href=${href("schedule", { ...this.params, at: fire.slot })} class="nowrap" title="Why?">${timeText(fire.slot, { zone, seconds: !fire.slot.endsWith(":00Z") })}</a>${zone === viewerZone ? nothing : html` <span class="faint nowrap">${isoDay(fire.slot) === isoDay(fire.slot, zone) ? clock(fire.slot) : moment(fire.slot)} yours</span>`}<span class="grow"></span>${this.#marks(fire)}${i === 0 ? html`<span class="faint nowrap">${relativeText(fire.dueAt)}</span>` : nothing}</li>`)}
    </ol>`;
  }

  #charts() {
    if (!this.runs) return skeleton(4);
    const shown = [...this.runs].reverse();
    const ran = shown.filter((run) => run.startedAt);
    if (!ran.length)
      return emptyState(
        "It has not run yet.",
        this.schedule.next.length ? `It will ${relative(this.schedule.next[0])}.` : "It has no slot before it.",
      );
    const bars = ran.map((run) => ({
      label: moment(run.slot, { zone: zoneOf(this.schedule) }),
      href: href("run", { id: run.id }),
      parts: [{ tone: stateOf(run.state).tone, value: run.durationMs ?? 0, word: "ms" }],
    }));
    const typical = [
      ...ran.filter((run) => run.durationMs !== null && run.durationMs !== undefined).map((run) => run.durationMs),
    ].sort((a, b) => a - b);
    return html`${barChart({ title: `Duration of the last ${count(ran.length, "run")}`, bars, height: 150, ticks: 3, least: 40, say: duration })}
      <p class="soft">
        ${typical.length ? `${duration(typical[Math.floor(typical.length / 2)])} typical, ${duration(typical.at(-1))} the longest` : nothing}
      </p>
      ${lineChart({ title: "Lateness: how long after it was due each started", points: ran.map((run) => ({ label: moment(run.slot, { zone: zoneOf(this.schedule) }), value: run.attempt > 1 ? undefined : run.latenessMs })), say: duration, height: 40 })}`;
  }

  #runs() {
    if (!this.runs) return skeleton(4);
    if (!this.runs.length) return html`<p class="soft">None yet.</p>`;
    const zone = zoneOf(this.schedule);
    const columns = [
      { name: "state", title: "status", cell: (run) => status(stateOf(run.state).tone, stateOf(run.state).word) },
      {
        name: "slot",
        title: "slot",
        cell: (run) =>
          html`<a class="key" href=${href("run", { id: run.id })}>${timeText(run.slot, { zone, seconds: true })}</a>`,
      },
      { name: "trigger", title: "trigger", wide: true, cell: (run) => TRIGGERS[run.trigger] ?? run.trigger },
      {
        name: "late",
        title: "late",
        wide: true,
        cell: (run) =>
          run.attempt > 1 ? html`<span class="faint">attempt ${run.attempt}</span>` : duration(run.latenessMs),
      },
      { name: "duration", title: "duration", right: true, cell: (run) => duration(run.durationMs) },
      { name: "reason", title: "reason", cell: (run) => run.failure?.message ?? run.reason ?? nothing },
    ];
    return html`<data-table
        caption="Latest runs"
        .columns=${columns}
        .items=${this.runs.slice(0, SHOWN)}
        .keyOf=${(run) => run.id}
      ></data-table>
      <p><a class="link" href=${href("runs", { schedule: this.schedule.key })}>All runs</a></p>`;
  }

  #audit() {
    if (!this.audit) return skeleton(3);
    return html`<ul class="audit-lines">
        ${this.audit.map((line) => html`<li><b>${line.action.replace("schedule.", "").replaceAll("_", " ")}</b> <span class="soft">by ${line.actor}, ${timeText(line.at)}</span>${line.details?.reason ? html`<div class="soft">${String(line.details.reason)}</div>` : nothing}</li>`)}
      </ul>
      <p><a class="link" href=${href("audit", { schedule: this.schedule.key })}>All of the audit</a></p>`;
  }

  render() {
    if (!this.params.key)
      return emptyState(
        "Which schedule?",
        "The address names none.",
        html`<a class="btn" href=${href("schedules")}>To the schedules</a>`,
      );
    if (this.failure && !this.schedule)
      return html`<div class="panel">
        ${this.failure.status === 404 ? emptyState("There is no such schedule.", this.failure.message, html`<a class="btn" href=${href("schedules")}>To the schedules</a>`) : failureState(this.failure, () => this.#load())}
      </div>`;
    if (!this.schedule) return skeleton(10);
    const zone = zoneOf(this.schedule);
    const at = this.#asked();
    return html`${staleNote(this.failure)}${this.#head()}
      ${this.params.backfill && !isOver(this.schedule) ? ifMay("operator", () => html`<backfill-panel schedule=${this.schedule.key} zone=${zone}></backfill-panel>`) : nothing}
      <div class="grid cols-32 row">
        <section class="panel" aria-label="When and how">
          <h2>When and how</h2>
          <dl class="facts">
            ${facts(this.schedule).map(
              ([name, says]) =>
                html`<dt>${name}</dt>
                  <dd>${says}</dd>`,
            )}
          </dl>
          ${
            this.schedule.payload && Object.keys(this.schedule.payload).length
              ? html`<details class="payload" ?open=${JSON.stringify(this.schedule.payload).length < SHORT}>
                  <summary>payload${this.schedule.template ? ", a template" : ""}</summary>
                  <pre class="mono">${JSON.stringify(this.schedule.payload, null, 2)}</pre>
                </details>`
              : nothing
          }
        </section>
        <why-box key=${this.schedule.key} at=${at ?? ""} zone=${zone}></why-box>
      </div>
      <section class="panel row" aria-label="A year">
        <h2>
          A year: past runs and coming slots,
          ${zone}${this.year?.until ? `; those to come are shown until ${moment(this.year.until, { zone })}` : ""}
        </h2>
        ${this.year ? html`<year-squares label="Runs and slots by day" .days=${this.year} today=${isoDay(serverNow(), zone)} selected=${at ? isoDay(at, zone) : ""} .choose=${(day) => this.#choose(day)}></year-squares>` : skeleton(4)}
      </section>
      <div class="grid cols-32 row">
        <section class="panel" aria-label="Duration and lateness">
          <h2>Duration and lateness</h2>
          ${this.#charts()}
        </section>
        <section class="panel" aria-label="Next">
          <h2>
            Next ${this.fires?.length > 1 ? this.fires.length : ""},
            ${zone}${this.schedule.jitter && this.schedule.jitter !== "PT0S" ? `, jitter ${span(this.schedule.jitter)}` : ""}
          </h2>
          ${this.#next()}
        </section>
      </div>
      <section class="panel row" aria-label="Runs">
        <h2>Latest runs</h2>
        ${this.#runs()}
      </section>
      <div class="grid cols-2 row">
        <section class="panel" aria-label="Versions">
          <h2>Versions</h2>
          <version-list
            schedule=${this.schedule.key}
            current=${this.schedule.version}
            open=${this.params.version ?? nothing}
            ?over=${isOver(this.schedule)}
            .changed=${() => this.#load()}
          ></version-list>
        </section>
        <section class="panel" aria-label="Audit">
          <h2>Audit</h2>
          ${this.#audit()}
        </section>
      </div>`;
  }
}
customElements.define("schedule-view", ScheduleView);

adopt(css`
  .row {
    margin-bottom: 16px;
  }
  .schedule-key {
    overflow-wrap: anywhere;
    display: flex;
    gap: 8px;
    flex-wrap: wrap;
    align-items: center;
  }
  .description {
    white-space: pre-line;
    max-height: 130px;
    overflow-y: auto;
  }
  .deeds {
    display: flex;
    gap: 8px;
    flex-wrap: wrap;
  }
  schedule-view .top {
    align-items: flex-start;
  }
  schedule-view .top > div:first-child {
    min-width: 0;
    max-width: 100%;
    flex: 100 1 320px;
    overflow-wrap: anywhere;
  }
  .fires {
    list-style: none;
    margin: 0;
    padding: 0;
    max-height: 320px;
    overflow: auto;
  }
  .fires li {
    display: flex;
    gap: 4px 8px;
    flex-wrap: wrap;
    padding: 6px 2px;
    border-bottom: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
  }
  .fires li:last-child {
    border: 0;
  }
  .fires .chip {
    white-space: normal;
    border-radius: 8px;
  }
  .payload {
    margin-top: 10px;
  }
  .payload pre {
    background: var(--sunken);
    padding: 10px;
    border-radius: 6px;
    overflow: auto;
    margin: 6px 0 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .payload summary {
    color: var(--soft);
    cursor: pointer;
  }
  .audit-lines {
    list-style: none;
    padding: 0;
    margin: 0 0 8px;
    display: grid;
    gap: 6px;
  }
  .audit-lines li {
    overflow-wrap: anywhere;
  }
  schedule-view .table-panel {
    border: 0;
    padding: 0;
  }
  schedule-view td[data-column="reason"] {
    overflow-wrap: anywhere;
  }
  @media (max-width: 760px) {
    schedule-view data-table tr {
      display: grid;
      grid-template-columns: 7.5em minmax(0, 1fr) auto;
      border-bottom: 1px solid var(--line);
    }
    schedule-view data-table :is(td, th) {
      border: 0;
    }
    schedule-view data-table :is(th:last-child, td:empty) {
      display: none;
    }
    schedule-view td[data-column="reason"] {
      grid-column: 1 / -1;
    }
  }
  schedule-view .cause {
    display: block;
    overflow-wrap: anywhere;
  }
  schedule-view .cause .link {
    text-decoration: underline;
  }
  .lint {
    background: var(--skip-bg);
    border-radius: 6px;
    padding: 6px 10px;
    margin-top: 6px;
  }
`);
