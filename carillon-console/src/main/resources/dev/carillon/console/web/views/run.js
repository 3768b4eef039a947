// One run: what happened, step by step, with what it was given and what came back; live while it is at work.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ifMay } from "../app/actions.js";
import { writeJson } from "../app/json.js";
import { bind } from "../app/keys.js";
import { atMostEvery, live } from "../app/live.js";
import { href, router } from "../app/router.js";
import { session } from "../app/session.js";
import { clockSeconds, day, duration, moment } from "../app/time.js";
import { TRIGGERS, stateOf } from "../app/words.js";
import { codeBlock } from "../parts/code-block.js";
import { copyButton } from "../parts/copy-text.js";
import { emptyState, failureState, staleNote } from "../parts/empty-state.js";
import { progressBar } from "../parts/progress-bar.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { chip } from "../parts/status-mark.js";
import { stepList } from "../parts/step-list.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/answer-box.js";
import { asCurl, cancelRun, mayCancel, mayRunAgain, runAgain, runAgainWith } from "./run/actions.js";
import { nextRun, previousRun } from "./run/neighbors.js";
import { runSteps } from "./run/steps.js";

const REFRESH = 500;
const WATCH = 2000;
let shown;

const toNeighbor = (which) => shown?.isConnected && shown[which] && router.open("run", { id: shown[which].id });
bind("[", "Previous run of the schedule", () => toNeighbor("previous"));
bind("]", "Next run of the schedule", () => toNeighbor("next"));

/* Of the first attempt: later ones start when they are to. */
function lateness(run) {
  if (run.latenessMs === null) return null;
  const [first] = run.attempts;
  const late =
    run.attempt > 1 && first?.number === 1
      ? new Date(first.startedAt) - new Date(run.dueAt)
      : run.attempt > 1
        ? null
        : run.latenessMs;
  return late === null ? null : late > 0 ? duration(late) : "nothing";
}

class RunView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    run: { state: true },
    failure: { state: true },
    previous: { state: true },
    next: { state: true },
    why: { state: true },
    escalations: { state: true },
    nodes: { state: true },
  };
  #asked = 0;
  #names;

  connectedCallback() {
    super.connectedCallback();
    shown = this;
    const refresh = atMostEvery(REFRESH, () => this.isConnected && this.#load());
    this.listen((event) => event.type.startsWith("run.") && event.data.id === this.params.id && refresh());
    this.aroundBreaks(refresh);
    // Progress is no event: what is at work is asked.
    this.every(
      WATCH,
      () => this.run?.state === "running" && !document.hidden && live.state !== "paused" && this.#load(),
    );
  }

  willUpdate(changed) {
    const before = changed.get("params");
    if (changed.has("params") && (!before || before.id !== this.params.id)) {
      [this.run, this.failure, this.previous, this.next, this.why, this.escalations] = [];
      this.#load().then(() => this.#loadAround());
    }
  }

  async #load() {
    const asked = ++this.#asked;
    try {
      // The names come first, so that nothing moves when they arrive.
      const [run] = await Promise.all([
        api.get(api.path`runs/${this.params.id ?? ""}`, { signal: this.signal }),
        (this.#names ??= this.#loadNodes()),
      ]);
      if (asked !== this.#asked) return;
      [this.run, this.failure] = [run, undefined];
      router.title(`${run.schedule ?? run.target}, ${moment(run.slot)}`);
    } catch (failure) {
      if (!isAbort(failure) && asked === this.#asked) this.failure = failure;
    }
  }

  async #loadAround() {
    const run = this.run;
    if (!run) return;
    const keep = (name, work) =>
      work.then(
        (value) => this.run?.id === run.id && (this[name] = value),
        () => {},
      );
    keep(
      "escalations",
      api.get("runs", { query: { correlation: run.id, limit: 10 }, signal: this.signal }).then((page) => page.items),
    );
    if (!run.schedule) return;
    keep("previous", previousRun(run, this.signal));
    keep("next", nextRun(run, this.signal));
    if (run.trigger === "scheduled")
      keep(
        "why",
        api.get(api.path`schedules/${run.schedule}/explain`, { query: { at: run.slot }, signal: this.signal }),
      );
  }

  /* Nodes and workers that are gone, or that the caller may not see, are shown by their ids. */
  async #loadNodes() {
    if (!session.reachesAll) return;
    try {
      const pages = await Promise.all(
        ["nodes", "workers"].map((list) => api.get(list, { query: { limit: 500 }, signal: this.signal })),
      );
      this.nodes = new Map(pages.flatMap((page) => page.items).map((node) => [node.id, node.name]));
    } catch {
      this.nodes = undefined;
    }
  }

  #nodeName = (id) => this.nodes?.get(id) ?? id;

  #buttons(run) {
    const then = (work) => () => work(run).then(() => this.#load());
    return html`${ifMay(
      "operator",
      () =>
        html` ${mayRunAgain(run) ? html`<button class="primary" @click=${then(runAgain)}>Run again</button><button @click=${then(runAgainWith)}>Edit and run again…</button>` : nothing}
        ${mayCancel(run) ? html`<button class="danger" @click=${then(cancelRun)}>Cancel…</button>` : nothing}`,
    )}
    ${copyButton("Copy as curl", "the command", () => asCurl(run))}`;
  }

  #head(run) {
    const state = stateOf(run.state);
    const most = run.retry?.attempts;
    return html`<div class="top">
        <div class="run-head">
          <h1>
            ${run.schedule ? html`<a href=${href("schedule", { key: run.schedule })}>${run.schedule}</a>` : run.target},
            ${day(run.slot)} ${clockSeconds(run.slot)} ${chip(state.tone, state.word)}
          </h1>
          <div class="soft mono">
            ${run.id}${run.attempt ? ` · attempt ${run.attempt}${most ? ` of ${Math.max(most, run.attempt)}` : ""}` : ""}${run.node ? html` · node <a href=${href("runs", { node: run.node })}>${this.#nodeName(run.node)}</a>` : nothing}
          </div>
        </div>
        <span class="grow"></span>${this.#buttons(run)}
      </div>
      ${
        run.schedule
          ? html`<nav class="neighbors" aria-label="Other runs of the schedule">
              ${this.previous ? html`<a rel="prev" class="btn small" href=${href("run", { id: this.previous.id })}>← ${stateOf(this.previous.state).word} ${moment(this.previous.slot)}</a>` : nothing}
              <a class="btn small quiet" href=${href("runs", { schedule: run.schedule })}>all runs</a>
              ${this.next ? html`<a rel="next" class="btn small" href=${href("run", { id: this.next.id })}>${stateOf(this.next.state).word} ${moment(this.next.slot)} →</a>` : nothing}
            </nav>`
          : nothing
      }`;
  }

  #facts(run) {
    const fact = (name, value) =>
      value === null || value === undefined || value === ""
        ? nothing
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`;
    return html`<dl class="facts">
      ${fact("trigger", TRIGGERS[run.trigger] ?? run.trigger)}
      ${fact("target", html`<a class="link" href=${href("runs", { target: run.target })}>${run.target}</a>`)}
      ${fact("slot", html`${timeText(run.slot, { seconds: true })} <span class="faint">${relativeText(run.slot)}</span>`)}
      ${fact("late by", lateness(run))} ${fact("took", run.durationMs === null ? null : duration(run.durationMs))}
      ${fact("timeout", run.timeout)} ${fact("version", run.version)} ${fact("for", run.description)}
      ${fact("correlation", run.correlation ? html`<a class="link" href=${href("runs", { correlation: run.correlation })}>${run.correlation}</a>` : null)}
      ${fact("known elsewhere as", run.externalId)}
      ${fact("idempotency key", html`<span class="mono">${run.idempotencyKey}</span>`)}
    </dl>`;
  }

  #failed(run) {
    const failure = run.failure ?? run.lastFailure;
    if (!failure) return nothing;
    return html`<section class="panel failed" aria-labelledby="failure-title">
      <h2 id="failure-title">${run.failure ? "Why it failed" : "Why the attempt before failed"}</h2>
      <p><b class="mono">${failure.code}</b> ${failure.message?.length > 300 ? nothing : failure.message}</p>
      ${failure.message?.length > 300 ? codeBlock(failure.message, "Message of the failure") : nothing}
      ${failure.details ? codeBlock(failure.details, "Details of the failure") : nothing}
      <a class="link" href=${href("runs", { q: (failure.message || failure.code).slice(0, 80), state: "failed" })}
        >Others that failed like this</a
      >
    </section>`;
  }

  #why(run) {
    if (!this.why) return nothing;
    return html`<section class="why" aria-labelledby="why-title">
      <h2 id="why-title">Why then</h2>
      <ol>
        ${this.why.steps.filter((step) => step.what !== "run" && step.what !== "attempt").map((step) => html`<li>${step.because}</li>`)}
      </ol>
      <a class="link" href=${href("schedule", { key: run.schedule, at: run.slot })}>Ask about another moment</a>
    </section>`;
  }

  render() {
    if (this.failure?.status === 404)
      return html`<div class="panel">
        ${emptyState("There is no such run.", "It may be older than the history that is kept, or outside of what you may see.", html`<a class="btn" href=${href("runs")}>To the runs</a>`)}
      </div>`;
    if (this.failure && !this.run)
      return html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`;
    const run = this.run;
    if (!run)
      return html`<div class="top"><h1>Run</h1></div>
        <div class="panel">${skeleton(8)}</div>`;
    const steps = runSteps(run, { nodeName: this.#nodeName, escalations: this.escalations });
    return html`${staleNote(this.failure)}${this.#head(run)}
      ${run.state === "running" && run.progress ? html`<div class="panel run-progress">${progressBar(run.progress)}</div>` : nothing}
      <div class="grid cols-21 run-grid">
        <div class="grid run-column">
          <section class="panel" aria-labelledby="happened-title">
            <h2 id="happened-title">What happened</h2>
            ${stepList(steps)}
          </section>
          ${this.#failed(run)}
        </div>
        <div class="grid run-column">
          <section class="panel" aria-labelledby="payload-title">
            <h2 id="payload-title">Payload${run.expandedPayload ? ", as the target sees it" : ""}</h2>
            ${codeBlock(writeJson(run.expandedPayload ?? run.payload), "Payload")}
            ${
              run.expandedPayload
                ? html`<details>
                    <summary class="soft">The template</summary>
                    ${codeBlock(writeJson(run.payload), "Template of the payload")}
                  </details>`
                : nothing
            }
          </section>
          <section class="panel" aria-labelledby="facts-title">
            <h2 id="facts-title">Facts</h2>
            ${this.#facts(run)}
          </section>
          ${this.#why(run)}
        </div>
      </div>`;
  }
}
customElements.define("run-view", RunView);

adopt(css`
  .run-head {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .run-head .chip {
    vertical-align: 3px;
  }
  .neighbors {
    display: flex;
    gap: 8px;
    flex-wrap: wrap;
    margin: -8px 0 14px;
  }
  .run-column {
    align-content: start;
  }
  .run-progress {
    margin-bottom: 16px;
  }
  .run-grid details {
    margin-top: 8px;
  }
  .run-grid summary {
    cursor: pointer;
    margin-bottom: 6px;
  }
  .failed p {
    overflow-wrap: anywhere;
  }
  .failed .link,
  .run-column .why .link {
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .failed .code {
    margin-bottom: 10px;
  }
`);
