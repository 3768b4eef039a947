// The nodes of the cluster: which are alive, which leads, until when they are trusted, what they run.
import { CarillonElement, html, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { href } from "../app/router.js";
import { count } from "../app/words.js";
import { emptyState, failureState } from "../parts/empty-state.js";
import { chip, status } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";

const REFRESH = 5000;

class NodesView extends CarillonElement {
  static properties = { params: { attribute: false }, nodes: { state: true }, failure: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.#load();
    this.every(REFRESH, () => document.hidden || this.#load());
  }

  async #load() {
    try {
      const [page, stats] = await Promise.all([api.get("nodes", { query: { limit: 500 }, signal: this.signal }), this.rules ?? api.get("stats", { signal: this.signal })]);
      this.rules = stats;
      [this.nodes, this.failure] = [page.items, undefined];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #columns() {
    return [
      { name: "name", title: "node", sort: (node) => node.name, cell: (node) => html`<a class="key" href=${href("runs", { node: node.id })}>${node.name}</a> ${node.leader ? chip("run", "leads") : nothing} ${node.self ? chip("wait", "answers you") : nothing}<div class="faint mono wide-only">${node.id}</div>` },
      { name: "state", title: "state", sort: (node) => node.state, cell: (node) => status(new Date(node.leaseUntil) > Date.now() ? "ok" : "bad", new Date(node.leaseUntil) > Date.now() ? node.state : "late") },
      { name: "lease", title: "trusted until", sort: (node) => node.leaseUntil, cell: (node) => html`<span class="nowrap">${timeText(node.leaseUntil, { seconds: true })}</span><div class="faint">seen ${relativeText(node.seenAt)}</div>` },
      { name: "started", title: "up since", wide: true, sort: (node) => node.startedAt, cell: (node) => html`${timeText(node.startedAt)}<div class="faint">${relativeText(node.startedAt)}</div>` },
      { name: "version", title: "build", wide: true, sort: (node) => node.version, cell: (node) => html`<span class="mono">${node.version}</span>` },
      { name: "epoch", title: "epoch", wide: true, right: true, sort: (node) => node.epoch, cell: (node) => node.epoch },
    ];
  }

  render() {
    const zones = this.rules?.timeZones;
    return html`<div class="top"><h1>Nodes</h1>${this.nodes ? html`<span class="soft">${count(this.nodes.length, "node")} alive${zones ? html` · time zone rules ${typeof zones === "string" ? zones : (zones.version ?? "")}` : nothing}</span>` : nothing}</div>
      ${this.failure
        ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`
        : html`<data-table caption="Nodes of the cluster" .columns=${this.#columns()} .items=${this.nodes} .params=${this.params} .keyOf=${(node) => node.id} .empty=${emptyState("No node is alive.", "Runs wait until a server is started: carillon serve.")}></data-table>`}`;
  }
}
customElements.define("nodes-view", NodesView);
