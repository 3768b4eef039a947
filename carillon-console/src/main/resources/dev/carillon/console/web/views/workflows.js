// Workflows that were deployed, each in its highest version.
import { CarillonElement, html } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { href } from "../app/router.js";
import { emptyState, failureState } from "../parts/empty-state.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";

const PAGE = 100;

class WorkflowsView extends CarillonElement {
  static properties = { params: { attribute: false }, page: { state: true }, failure: { state: true } };

  willUpdate(changed) {
    if (changed.has("params") && changed.get("params")?.cursor !== this.params.cursor) this.page = undefined;
    if (changed.has("params") && !this.page) this.#load();
  }

  async #load() {
    try {
      [this.page, this.failure] = [
        await api.get("workflows", { query: { limit: PAGE, cursor: this.params.cursor }, signal: this.signal }),
        undefined,
      ];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #columns() {
    return [
      {
        name: "id",
        title: "workflow",
        cell: (workflow) => html`<a class="key" href=${href("workflow", { id: workflow.id })}>${workflow.id}</a>`,
      },
      { name: "version", title: "version", cell: (workflow) => html`v${workflow.version}` },
      {
        name: "deployed",
        title: "deployed",
        cell: (workflow) =>
          html`<span class="nowrap">${timeText(workflow.deployedAt)}</span>
            <div class="faint">${relativeText(workflow.deployedAt)}</div>`,
      },
      { name: "by", title: "by", wide: true, cell: (workflow) => workflow.deployedBy },
    ];
  }

  render() {
    return html`<div class="top"><h1>Workflows</h1></div>
      ${
        this.failure
          ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`
          : html`<data-table
              caption="Workflows"
              .columns=${this.#columns()}
              .items=${this.page?.items}
              .nextCursor=${this.page?.nextCursor}
              .params=${this.params}
              .keyOf=${(workflow) => workflow.id}
              .empty=${emptyState("No workflow is deployed.", "Its triggers become schedules, and its runs go to an executor of yours.", html`<code class="mono">carillon workflow deploy graph.json</code>`)}
            ></data-table>`
      }`;
  }
}
customElements.define("workflows-view", WorkflowsView);
