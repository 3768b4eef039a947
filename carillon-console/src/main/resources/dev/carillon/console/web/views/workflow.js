// One workflow: its versions, the schedules of its triggers, and the graph of the version that is chosen in the address.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { href, router } from "../app/router.js";
import { count } from "../app/words.js";
import { failureState } from "../parts/empty-state.js";
import { skeleton } from "../parts/skeleton-lines.js";
import { chip, status } from "../parts/status-mark.js";
import { timeText } from "../parts/time-text.js";
import "../parts/data-table.js";

class WorkflowView extends CarillonElement {
  static properties = {
    params: { attribute: false },
    workflow: { state: true },
    graph: { state: true },
    failure: { state: true },
  };

  willUpdate(changed) {
    if (!changed.has("params")) return;
    const before = changed.get("params");
    if (before && before.id === this.params.id && before.version === this.params.version) return;
    if (before?.id !== this.params.id) this.workflow = undefined;
    this.#load();
  }

  async #load() {
    const { id = "", version } = this.params;
    router.title(id);
    try {
      const workflow = await api.get(api.path`workflows/${id}`, { signal: this.signal });
      const shown = version ?? workflow.version ?? workflow.versions[0]?.version;
      const graph = await api.get(api.path`workflows/${id}/versions/${shown}`, { signal: this.signal });
      if (id === (this.params.id ?? "") && version === this.params.version)
        [this.workflow, this.graph, this.failure] = [workflow, graph, undefined];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #columns() {
    return [
      {
        name: "version",
        title: "version",
        cell: (one) =>
          html`<a
            class="key"
            href=${href("workflow", { id: this.params.id, version: one.version })}
            aria-current=${one.version === this.graph.version ? "true" : nothing}
            >v${one.version}</a
          >`,
      },
      {
        name: "state",
        title: "state",
        cell: (one) =>
          one.removedAt
            ? html`${status("skip", "removed")}
                <div class="faint">by ${one.removedBy}</div>`
            : one.version === this.workflow.version
              ? status("ok", "in force")
              : status("wait", "older"),
      },
      {
        name: "deployed",
        title: "deployed",
        cell: (one) =>
          html`<span class="nowrap">${timeText(one.deployedAt)}</span>
            <div class="faint">${one.deployedBy}</div>`,
      },
    ];
  }

  #triggers() {
    const triggers = Array.isArray(this.graph.dag?.triggers) ? this.graph.dag.triggers : [];
    if (!triggers.length) return html`<p class="soft">No trigger: it is started by programs only.</p>`;
    return html`<dl class="facts">
      ${triggers.map(
        (trigger) =>
          html`<dt>${trigger.id ?? ""}</dt>
            <dd>
              ${trigger.type === "schedule_based" ? html`<span class="mono">${trigger.cron_expr}</span> <span class="soft">${trigger.timezone ?? "UTC"}</span>` : html`<span class="soft">${trigger.type ?? "of another type"}</span>`}
            </dd>`,
      )}
    </dl>`;
  }

  render() {
    if (this.failure) return html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`;
    if (!this.workflow) return html`<div class="panel">${skeleton(6)}</div>`;
    const schedules = this.workflow.schedules;
    return html`<div class="top">
        <h1 class="key">${this.workflow.id}</h1>
        ${this.workflow.version ? chip("ok", `version ${this.workflow.version}`) : chip("skip", "removed")}<span
          class="soft"
          >${count(this.workflow.versions.length, "version")}</span
        >
      </div>
      <div class="grid cols-21">
        <div class="grid">
          <data-table
            caption="Versions of the workflow"
            .columns=${this.#columns()}
            .items=${this.workflow.versions}
            .params=${this.params}
            .keyOf=${(one) => String(one.version)}
          ></data-table>
          <div class="panel">
            <h2>Graph of version ${this.graph.version}</h2>
            <pre class="mono workflow-graph" tabindex="0" aria-label="Graph">
${JSON.stringify(this.graph.dag, null, 2)}</pre>
          </div>
        </div>
        <div class="grid workflow-side">
          <div class="panel">
            <h2>Triggers of version ${this.graph.version}</h2>
            ${this.#triggers()}
          </div>
          <div class="panel">
            <h2>Schedules</h2>
            ${
              schedules.length
                ? html`<ul class="workflow-schedules">
                    ${schedules.map((key) => html`<li><a class="key" href=${href("schedule", { key })}>${key}</a></li>`)}
                  </ul>`
                : html`<p class="soft">None.</p>`
            }
          </div>
        </div>
      </div>`;
  }
}
customElements.define("workflow-view", WorkflowView);

adopt(css`
  .workflow-graph {
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-height: 520px;
    overflow: auto;
    background: var(--sunken);
    padding: 12px;
    border-radius: 6px;
  }
  .workflow-schedules {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .workflow-side {
    align-content: start;
  }
  workflow-view h1 {
    font-weight: 650;
  }
  workflow-view [aria-current] {
    color: var(--accent);
  }
`);
