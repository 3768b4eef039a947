// The nodes of the cluster: which are alive, which leads, until when they are trusted, what they run.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { serverNow } from "../app/clock.js";
import { href } from "../app/router.js";
import { status as cluster } from "../app/status.js";
import { duration } from "../app/time.js";
import { count, number } from "../app/words.js";
import { emptyState, orFailure } from "../parts/empty-state.js";
import { chip, mark, status } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";

const REFRESH = 5000;
const SKEW = 1000;

/* Runs are due by the clock of the database. A wrong clock of a machine misleads who reads its logs. */
const clockOf = ({ clockAheadMs: ahead }) => {
  if (ahead === null) return "–";
  const by = duration(Math.abs(ahead));
  const says = Math.abs(ahead) < 50 ? "right" : `${by} ${ahead > 0 ? "ahead" : "behind"}`;
  return Math.abs(ahead) < SKEW ? says : chip("skip", says);
};

class NodesView extends CarillonElement {
  static properties = { params: { attribute: false }, nodes: { state: true }, failure: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.follow(cluster);
    this.#load();
    this.every(REFRESH, () => document.hidden || this.#load());
  }

  async #load() {
    try {
      const page = await api.get("nodes", { query: { limit: 500 }, signal: this.signal });
      [this.nodes, this.failure] = [page.items, undefined];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #columns() {
    return [
      {
        name: "name",
        title: "node",
        sort: (node) => node.name,
        cell: (node) =>
          html`<a class="key" href=${href("runs", { node: node.id })}>${node.name}</a>
            ${node.leader ? chip("run", "leads") : nothing} ${node.self ? chip("wait", "answers you") : nothing}
            <div class="faint mono wide-only">${node.id}</div>`,
      },
      {
        name: "state",
        title: "state",
        sort: (node) => node.state,
        cell: (node) =>
          status(
            new Date(node.leaseUntil) > serverNow() ? "ok" : "bad",
            new Date(node.leaseUntil) > serverNow() ? node.state : "late",
          ),
      },
      {
        name: "lease",
        title: "lease until",
        sort: (node) => node.leaseUntil,
        cell: (node) =>
          html`<span class="nowrap">${timeText(node.leaseUntil, { seconds: true })}</span>
            <div class="faint">seen ${relativeText(node.seenAt)}</div>`,
      },
      {
        name: "capacity",
        title: "runs at a time",
        wide: true,
        right: true,
        sort: (node) => node.concurrency ?? 0,
        cell: (node) => (node.concurrency === null ? "–" : number(node.concurrency)),
      },
      {
        name: "clock",
        title: "clock",
        wide: true,
        sort: (node) => Math.abs(node.clockAheadMs ?? 0),
        cell: (node) => clockOf(node),
      },
      {
        name: "zones",
        title: "time zone rules",
        wide: true,
        sort: (node) => node.timeZones,
        cell: (node) =>
          html`<span class="mono">${node.timeZones ?? "–"}</span
            >${this.#differs(node, "timeZones") ? html` ${chip("skip", "other rules")}` : nothing}`,
      },
      {
        name: "started",
        title: "up since",
        wide: true,
        sort: (node) => node.startedAt,
        cell: (node) =>
          html`${timeText(node.startedAt)}
            <div class="faint">${relativeText(node.startedAt)}</div>`,
      },
      {
        name: "version",
        title: "build",
        wide: true,
        sort: (node) => node.version,
        cell: (node) =>
          html`<span class="mono">${node.version}</span
            >${this.#differs(node, "version") ? html` ${chip("skip", "another build")}` : nothing}`,
      },
      {
        name: "epoch",
        title: "epoch",
        wide: true,
        right: true,
        sort: (node) => node.epoch,
        cell: (node) => node.epoch,
      },
    ];
  }

  /* Nodes of two builds, and of two Javas, are usual during an update, and a question after it. */
  #differs(node, what) {
    const own = this.nodes.find((one) => one.self)?.[what];
    return !!own && !!node[what] && node[what] !== own;
  }

  #summary() {
    const { numbers } = cluster.value ?? {};
    return html`<span class="soft"
      >${count(this.nodes.length, "node")}
      alive${numbers ? html` · <a href=${href("runs", { state: "running" })}>${number(numbers.running)} running</a> · <a href=${href("runs", { state: "pending", planned: true })}>${number(numbers.pending)} waiting</a>` : nothing}</span
    >`;
  }

  #troubles() {
    const reasons = cluster.value?.reasons ?? [];
    return reasons.length
      ? html`<div class="panel nodes-troubles" role="alert">
          <h2>What is wrong</h2>
          ${reasons.map((reason) => html`<p>${mark("bad")} <span>${reason}</span></p>`)}
        </div>`
      : nothing;
  }

  render() {
    return html`<div class="top">
        <h1>Nodes</h1>
        ${this.nodes ? this.#summary() : nothing}
      </div>
      ${this.#troubles()}
      ${orFailure(
        this.failure,
        this.nodes,
        () => this.#load(),
        html`<data-table
          caption="Nodes of the cluster"
          .columns=${this.#columns()}
          .items=${this.nodes}
          .params=${this.params}
          .keyOf=${(node) => node.id}
          .empty=${emptyState("No node is alive.", "Runs wait until a server is started: carillon serve.")}
        ></data-table>`,
      )}`;
  }
}
customElements.define("nodes-view", NodesView);

adopt(css`
  .nodes-troubles {
    margin-bottom: 16px;
    border-color: var(--bad);
    background: var(--bad-bg);
  }
  .nodes-troubles p {
    display: flex;
    gap: 10px;
    align-items: baseline;
    margin: 4px 0;
  }
`);
