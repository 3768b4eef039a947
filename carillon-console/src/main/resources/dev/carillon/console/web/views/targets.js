// Where runs go: each target with how its runs of the last day ended, what is wrong with it, and a way to try it.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ask, ifMay } from "../app/actions.js";
import { href } from "../app/router.js";
import { session } from "../app/session.js";
import { duration } from "../app/time.js";
import { count, number } from "../app/words.js";
import { emptyState, failureState } from "../parts/empty-state.js";
import { chip, mark, status } from "../parts/status-mark.js";
import { timeText } from "../parts/time-text.js";
import "../parts/data-table.js";

const KINDS = {
  http: "HTTP endpoint",
  workflow: "workflow executor",
  worker: "workers fetch its runs",
  log: "written to the log",
  noop: "does nothing",
  handler: "code of a program",
};
const RESULTS = {
  succeeded: ["ok", "works"],
  accepted: ["ok", "works, reports later"],
  failed: ["bad", "fails"],
  not_tested: ["wait", "not tested"],
};

class TargetsView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    targets: { state: true },
    ended: { state: true },
    tests: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.tests = {};
    this.ended = {};
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  async #load() {
    try {
      const [page, stats] = await Promise.all([
        this.#all(),
        session.reachesAll ? api.get("stats", { signal: this.signal }) : undefined,
      ]);
      this.ended = Object.fromEntries((stats?.byTarget ?? []).map((one) => [one.target, one.runs]));
      [this.targets, this.failure] = [page, undefined];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  async #all() {
    const all = [];
    for (let cursor; ;) {
      const page = await api.get("targets", { query: { limit: 500, cursor }, signal: this.signal });
      all.push(...page.items);
      cursor = page.nextCursor;
      if (!cursor) return all;
    }
  }

  #test(target) {
    return ask({
      title: `Send a test to ${target.label}?`,
      says:
        target.type === "http" || target.type === "workflow"
          ? "It gets one signed message, marked as a test. It is no run, and is in no history."
          : "It is tried as far as that is possible without a run.",
      fields: [{ name: "payload", label: "Payload, as JSON", type: "textarea", value: "{}" }],
      confirm: "Send the test",
      submit: (values) =>
        api.post(
          api.path`targets/${target.label}/test`,
          { payload: parsed(values.payload ?? "{}") },
          { signal: this.signal },
        ),
    }).then((result) => result && (this.tests = { ...this.tests, [target.label]: result }));
  }

  #columns() {
    return [
      {
        name: "label",
        title: "target",
        sort: (target) => target.label,
        cell: (target) =>
          html`<a class="key" href=${href("runs", { target: target.label })}>${target.label}</a>
            ${target.builtIn ? html`<span class="tag">built in</span>` : nothing}
            <div class="faint">${KINDS[target.type] ?? target.type}</div>
            ${(target.warnings ?? []).map((warning) => html`<div class="target-warning ${target.builtIn ? "soft" : ""}">${mark(target.builtIn ? "wait" : "bad")}<span>${warning.message}</span></div>`)}`,
      },
      {
        name: "where",
        title: "calls",
        wide: true,
        cell: (target) =>
          html`${target.url ? html`<span class="mono target-url">${target.method ?? "POST"} ${target.url}</span>` : nothing}
            <div class="faint">${limits(target)}</div>`,
      },
      {
        name: "ended",
        title: "last 24 hours",
        wide: !session.reachesAll,
        sort: (target) => -(this.ended[target.label]?.failed ?? 0),
        cell: (target) => this.#ended(target),
      },
      {
        name: "changed",
        title: "changed",
        wide: true,
        sort: (target) => target.updatedAt,
        cell: (target) =>
          target.updatedAt
            ? html`<span class="nowrap">${timeText(target.updatedAt)}</span>
                <div class="faint">${target.updatedBy}</div>`
            : nothing,
      },
      {
        name: "actions",
        title: html`<span class="hidden">actions</span>`,
        right: true,
        cell: (target) =>
          html`${this.#result(this.tests[target.label])}
          ${ifMay("operator", () => html`<button class="small" @click=${() => this.#test(target)}>Send a test…</button>`)}`,
      },
    ];
  }

  #ended(target) {
    const runs = this.ended[target.label];
    if (!runs) return html`<span class="faint">${session.reachesAll ? "no runs" : ""}</span>`;
    const link = (state, tone, word) =>
      runs[state]
        ? html`<a class="nowrap" href=${href("runs", { target: target.label, state })}
            >${status(tone, `${number(runs[state])} ${word}`)}</a
          > `
        : nothing;
    return html`<span class="target-ended"
      >${link("succeeded", "ok", "succeeded")}${link("failed", "bad", "failed")}${link("canceled", "skip", "canceled")}</span
    >`;
  }

  #result(result) {
    if (!result) return nothing;
    const [tone, word] = RESULTS[result.result] ?? ["wait", result.result];
    const says = [result.status && `HTTP ${result.status}`, result.latencyMs !== null && duration(result.latencyMs)]
      .filter(Boolean)
      .join(", ");
    return html`<div class="target-result" role="status">
      ${chip(tone, word)} <span class="soft">${says}</span>
      <div class="soft">${result.failure?.message ?? result.detail}</div>
    </div>`;
  }

  render() {
    return html`<div class="top">
        <h1>Targets</h1>
        ${this.targets ? html`<span class="soft">${count(this.targets.length, "target")}</span>` : nothing}
      </div>
      ${
        this.failure
          ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`
          : html`<data-table
              caption="Targets"
              .columns=${this.#columns()}
              .items=${this.targets}
              .params=${this.params}
              .keyOf=${(target) => target.label}
              .empty=${emptyState("No target is in your reach.", "A target says where runs go: an HTTP endpoint, workers, a workflow.", html`<code class="mono">carillon target put report --url https://…</code>`)}
            ></data-table>`
      }`;
  }
}
customElements.define("targets-view", TargetsView);

/* 4 at a time, 30s each */
const limits = (target) =>
  [
    target.maxConcurrent && `${target.maxConcurrent} at a time`,
    target.timeout && `${target.timeout.replace("PT", "").toLowerCase()} each`,
  ]
    .filter(Boolean)
    .join(", ");

/* What the dialog shows at its field, in the way the server would say it. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (problem) {
    throw Object.assign(new Error(problem.message), {
      at: (pointer) => (pointer === "/payload" ? `this is no JSON: ${problem.message}` : ""),
      besides: () => "",
    });
  }
}

adopt(css`
  @media (min-width: 761px) {
    targets-view td[data-column="where"] {
      min-width: 260px;
    }
  }
  targets-view .target-url {
    overflow-wrap: anywhere;
  }
  targets-view .target-ended {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 2px 12px;
  }
  targets-view .target-warning:not(.soft) {
    color: var(--bad);
  }
  @media (max-width: 760px) {
    targets-view td button {
      white-space: normal;
    }
  }
  targets-view .target-warning {
    overflow-wrap: anywhere;
    font-size: 12.5px;
    display: flex;
    gap: 8px;
    align-items: baseline;
  }
  targets-view .target-result {
    max-width: 34ch;
    margin-left: auto;
    margin-bottom: 4px;
    overflow-wrap: anywhere;
    font-size: 12.5px;
  }
`);
