// The first view: does anything need you, and if so what; then the numbers of the day, the hour around now, and what failed.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { serverNow } from "../app/clock.js";
import { atMostEvery } from "../app/live.js";
import { href } from "../app/router.js";
import { status as cluster } from "../app/status.js";
import { clock, duration, moment } from "../app/time.js";
import { count, number } from "../app/words.js";
import { barChart } from "../parts/bar-chart.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { failureCauses } from "../parts/failure-causes.js";
import { firstSchedules } from "../parts/first-schedules.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { mark, status } from "../parts/status-mark.js";
import { timeText } from "../parts/time-text.js";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const REFRESH = 5000;
const AT_LEAST_EVERY = 60_000; // what changes is told by events, and by the status of the cluster
const FAILURES = 200;
const TOLD = 3;
const OUTCOMES = [
  ["succeeded", "ok"],
  ["failed", "bad"],
  ["canceled", "skip"],
  ["skipped", "skip"],
];

const DROPPED = {
  missed: "missed",
  limit: "beyond catch-up",
  paused: "while paused",
  outside_window: "before their time",
  retired: "of retired ones",
  calendar: "on days off",
  quiet_hours: "in quiet hours",
};

const parts = (runs) => OUTCOMES.map(([state, tone]) => ({ tone, value: runs[state] ?? 0, word: state }));

class NowView extends CarillonElement {
  static properties = { params: { attribute: false }, seen: { state: true }, failure: { state: true } };
  #limits = new Map();

  connectedCallback() {
    super.connectedCallback();
    this.#load();
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen(refresh);
    this.aroundBreaks(refresh);
    this.every(AT_LEAST_EVERY, () => document.hidden || refresh());
    this.follow(cluster, () => this.#isNews() && refresh());
  }

  /* Whether the cluster has other troubles than those that are shown. */
  #isNews() {
    return cluster.value && this.seen && cluster.value.reasons.join() !== this.seen.activity.problems.join();
  }

  async #load() {
    const options = { signal: this.signal };
    const now = serverNow();
    const at = (ms) => new Date(now + ms).toISOString();
    try {
      const [activity, stats, forecast, failed, nodes] = await Promise.all([
        api.get("activity", options),
        api.get("stats", options),
        api.get("forecast", { ...options, query: { to: at(HOUR) } }),
        api.get("runs", { ...options, query: { state: "failed", from: at(-24 * HOUR), limit: FAILURES } }),
        api.get("nodes", { ...options, query: { limit: 100 } }),
      ]);
      await this.#askLimits(activity.failing, options);
      [this.seen, this.failure] = [{ activity, stats, forecast, failed, nodes: nodes.items, now }, undefined];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  /* After how many failures those that are told pause by themselves; asked when one of them fails again. */
  async #askLimits(failing, options) {
    for (const { key, failures } of failing.slice(0, TOLD))
      if (this.#limits.get(key)?.failures !== failures) {
        const { pauseAfterFailures } = await api.get(api.path`schedules/${key}`, options).catch(() => ({}));
        this.#limits.set(key, { failures, limit: pauseAfterFailures });
      }
  }

  /* What needs somebody, the worst first: `{ says, href, word }`. */
  #needs() {
    const { activity, nodes, now } = this.seen;
    const late = nodes.filter((node) => Date.parse(node.leaseUntil) < now);
    return [
      ...activity.problems.map((text) => ({ says: html`${text}.`, href: href("nodes"), word: "See the nodes" })),
      ...late.map((node) => ({
        says: html`Node <b>${node.name}</b> is late.`,
        href: href("nodes"),
        word: "See the nodes",
      })),
      ...activity.failing.map(({ key, failures, limit = this.#limits.get(key)?.limit }) => ({
        says: html`<a href=${href("schedule", { key })}><b>${key}</b></a> failed
          ${failures === 1 ? "its last run" : `${failures} times in a row`}${limit ? ` and pauses after ${limit}` : nothing}.`,
        href: href("schedule", { key }),
        word: "See why",
      })),
    ];
  }

  #verdict() {
    const { activity } = this.seen;
    const needs = this.#needs();
    const all = Object.entries(activity.schedules)
      .filter(([state]) => ["active", "paused"].includes(state))
      .reduce((sum, [, n]) => sum + n, 0);
    const paused = activity.schedules.paused ?? 0;
    const fine = html`<a href=${href("schedules")}>${count(all - activity.failing.length, "schedule")}</a>
      ${all - activity.failing.length === 1 ? "is" : "are"}
      fine${paused ? html`, <a href=${href("schedules", { status: "paused" })}>${number(paused)} of them paused</a>` : nothing}.`;
    if (!needs.length)
      return html`<section class="verdict" aria-label="Verdict">
        ${mark("ok")}
        <p><b>Nothing needs you.</b> ${fine}</p>
      </section>`;
    const words = ["", "One thing needs you.", "Two things need you.", "Three things need you."];
    return html`<section class="verdict bad" aria-label="Verdict">
      ${mark("bad")}
      <p>
        <b>${words[needs.length] ?? `${number(needs.length)} things need you.`}</b>
        ${needs.slice(0, TOLD).map((need) => html`${need.says} `)}${needs.length > TOLD ? html`And ${needs.length - TOLD} more. ` : nothing}${fine}
      </p>
      <a class="btn" href=${needs[0].href}>${needs[0].word}</a>
    </section>`;
  }

  #numbers() {
    const { activity, stats } = this.seen;
    const { succeeded = 0, failed = 0, canceled = 0, skipped = 0 } = stats.runs;
    const ended = succeeded + failed;
    const from = stats.from;
    const { lateness } = activity;
    const cell = (link, big, what, more) =>
      html`<div class="panel kpi">
        <a href=${link}><b>${big}</b></a
        ><span>${what}</span><span class="faint">${more}</span>
      </div>`;
    return html`<div class="grid cols-4 row">
      ${cell(href("runs", failed ? { state: "failed", from } : { from }), ended ? `${((100 * succeeded) / ended).toFixed(succeeded === ended ? 0 : 2)} %` : "none", "of runs succeeded, 24 h", html`<a href=${href("runs", { from })}>${count(ended, "run")}</a>${failed ? html` · <a class="link" href=${href("runs", { state: "failed", from })}>${number(failed)} failed</a>` : nothing}`)}
      ${cell(lateness.worstRun ? href("run", { id: lateness.worstRun }) : href("runs"), lateness.p99Ms === null ? "none" : duration(lateness.p99Ms), lateness.p99Ms === null ? "started in the last hour" : "late, p99 of the last hour", lateness.p99Ms === null ? nothing : html`<a class="link" href=${href("run", { id: lateness.worstRun })}>worst ${duration(lateness.worstMs)}</a>`)}
      ${cell(href("runs", { state: "running" }), number(activity.running), "running", html`<a href=${href("runs", { state: "pending", planned: false })}>${number(activity.due)} due and waiting</a>`)}
      ${this.#missing(cell, skipped, canceled, from)}
    </div>`;
  }

  /* Slots without a run are decisions, which the audit tells; the others are runs that were skipped or canceled. */
  #missing(cell, skipped, canceled, from) {
    const { merged, ...dropped } = this.seen.activity.dropped;
    const reasons = Object.entries(dropped).sort(([, a], [, b]) => b - a);
    const slots = reasons.reduce((sum, [, n]) => sum + n, 0);
    const told = [
      ...(skipped
        ? [html`<a class="link" href=${href("runs", { state: "skipped", from })}>${number(skipped)} skipped</a>`]
        : []),
      ...(canceled
        ? [html`<a class="link" href=${href("runs", { state: "canceled", from })}>${number(canceled)} canceled</a>`]
        : []),
      ...reasons
        .slice(0, TOLD)
        .map(
          ([reason, n]) =>
            html`<a
              class="link"
              href=${href(reason === "paused" ? "schedules" : "audit", reason === "paused" ? { status: "paused" } : reason === "missed" ? { action: "schedule.missed" } : {})}
              >${number(n)} ${DROPPED[reason] ?? reason}</a
            >`,
        ),
    ];
    return cell(
      slots > skipped + canceled ? href("audit") : href("runs", { state: skipped ? "skipped" : "canceled", from }),
      number(skipped + canceled + slots),
      "slots did not run, 24 h",
      told.map((one, i) => html`${i ? " · " : nothing}${one}`),
    );
  }

  #around() {
    const { activity, forecast, now } = this.seen;
    const first = Math.floor(now / MINUTE) * MINUTE - 59 * MINUTE;
    const past = new Map(activity.byMinute.map((minute) => [Date.parse(minute.minute), minute.runs]));
    const start = Date.parse(forecast.firstMinute);
    const bars = Array.from({ length: 120 }, (_, i) => {
      const at = first + i * MINUTE;
      const label = clock(at);
      const tick = at % QUARTER === 0 ? label : "";
      if (i < 60)
        return {
          label,
          tick,
          href: href("runs", { from: new Date(at).toISOString(), to: new Date(at + MINUTE).toISOString() }),
          parts: parts(past.get(at) ?? {}),
        };
      return {
        label,
        tick,
        future: true,
        parts: [{ tone: "wait", value: forecast.firesPerMinute[(at - start) / MINUTE] ?? 0, word: "to come" }],
      };
    });
    const behind = Date.parse(activity.completeFrom) > Date.parse(activity.from);
    return html`<section class="panel row" aria-label="The hour around now">
      <h2>The hour around now${behind ? `; counted from ${moment(activity.completeFrom)}` : ""}</h2>
      ${barChart({ title: "Runs and coming slots by minute", bars, height: 96, now: 60, say: (most) => `${number(most)} a minute` })}
    </section>`;
  }

  #day() {
    const { stats, now } = this.seen;
    const hours = new Map(stats.byHour.map((hour) => [Date.parse(hour.hour), hour.runs]));
    const first = Math.floor(now / HOUR) * HOUR - 23 * HOUR;
    const bars = Array.from({ length: 24 }, (_, i) => {
      const at = first + i * HOUR;
      const runs = hours.get(at) ?? {};
      const minutes = i === 23 ? Math.max(1, (now - at) / MINUTE) : 60;
      return {
        label: moment(at, { now }),
        tick: new Date(at).getHours() % 3 ? "" : clock(at),
        href: href("runs", { from: new Date(at).toISOString(), to: new Date(at + HOUR).toISOString() }),
        parts: parts(runs).map((part) => ({ ...part, value: Math.round((10 * part.value) / minutes) / 10 })),
      };
    });
    return html`<section class="panel" aria-label="Runs per minute">
      <h2>Runs per minute since yesterday, by hour and outcome</h2>
      ${barChart({ title: "Runs per minute by hour and outcome", bars, height: 130, say: (most) => `${number(most)} a minute` })}
    </section>`;
  }

  #nodes() {
    const { nodes, now } = this.seen;
    return html`<section class="panel" aria-label="Nodes">
      <h2><a href=${href("nodes")}>${count(nodes.length, "node")}</a></h2>
      <ul class="plain nodes-line">
        ${nodes.slice(0, 8).map((node) => html`<li>${status(Date.parse(node.leaseUntil) > now ? "ok" : "bad", html`<a href=${href("runs", { node: node.id })}>${node.name}</a>`)} <span class="faint">${node.leader ? "leads · " : nothing}up since ${timeText(node.startedAt)}</span></li>`)}
      </ul>
    </section>`;
  }

  render() {
    if (!this.seen)
      return this.failure
        ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`
        : skeleton(12);
    const { activity, failed } = this.seen;
    const none = !Object.values(activity.schedules).some((n) => n > 0) && !activity.byMinute.length;
    return html`<h1 class="hidden">Now</h1>
      ${staleNote(this.failure)}
      ${
        none
          ? html`<div class="panel">${firstSchedules()}</div>`
          : html`${this.#verdict()}${this.#numbers()}${this.#around()}
              <div class="grid cols-21">
                <div class="grid">${this.#day()}${this.#nodes()}</div>
                <section class="panel" aria-label="Failures">
                  <h2>Failed in the last 24 hours, by cause</h2>
                  ${failed.items.length ? failureCauses(failed.items, { more: !!failed.nextCursor }) : emptyState("Nothing failed.", "What fails is grouped here by its cause.")}
                </section>
              </div>`
      }`;
  }
}
customElements.define("now-view", NowView);

adopt(css`
  .verdict {
    display: flex;
    gap: 14px;
    align-items: center;
    flex-wrap: wrap;
    padding: 14px 18px;
    border-radius: var(--r);
    background: var(--ok-bg);
    border: 1px solid color-mix(in srgb, var(--ok) 30%, transparent);
    margin-bottom: 16px;
  }
  .verdict p {
    margin: 0;
    flex: 1 1 240px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .verdict.bad {
    background: var(--bad-bg);
    border-color: color-mix(in srgb, var(--bad) 30%, transparent);
  }
  .verdict a:not(.btn) {
    text-decoration: underline;
    text-decoration-color: var(--faint);
    text-underline-offset: 2px;
  }
  .row {
    margin-bottom: 16px;
  }
  .kpi a:hover b {
    text-decoration: underline;
  }
  .kpi span a {
    white-space: nowrap;
    text-decoration: underline;
    text-decoration-color: var(--line);
    text-underline-offset: 2px;
  }
  .plain {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 6px;
  }
  .nodes-line {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 28px;
  }
  now-view .grid {
    align-content: start;
  }
  now-view .plain li {
    min-width: 0;
  }
  now-view .plain .status {
    white-space: normal;
    overflow-wrap: anywhere;
    align-items: baseline;
  }
`);
