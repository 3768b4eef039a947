// The versions of a schedule, what each changed, and the way back to one.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ifMay, perform } from "../app/actions.js";
import { href, router } from "../app/router.js";
import { timeText } from "./time-text.js";
import { failureState } from "./empty-state.js";
import { skeleton } from "./skeleton-lines.js";

const shown = (value) =>
  value === null || value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value);

/** A table of fields that differ: `[{ field, from, to }]`. */
export const changeTable = (changes) =>
  changes.length
    ? html`<table class="changes">
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">was</th>
            <th scope="col">is</th>
          </tr>
        </thead>
        <tbody>
          ${changes.map(
            (change) =>
              html`<tr>
                <th scope="row">${change.field}</th>
                <td class="mono was">${shown(change.from)}</td>
                <td class="mono is">${shown(change.to)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`
    : html`<p class="soft">They are the same.</p>`;

/** `schedule`: its key; `current`: its version; `over`: it fires no more, so there is no way back; `open`: the one whose change is shown; `changed` is called after a rollback */
class VersionList extends CarillonElement {
  static properties = {
    schedule: {},
    current: { type: Number },
    over: { type: Boolean },
    open: { type: Number },
    changed: { attribute: false },
    items: { state: true },
    older: { state: true },
    diff: { state: true },
    failure: { state: true },
  };

  willUpdate(changed) {
    if (changed.has("schedule") || changed.has("current")) this.#load();
    if (changed.has("open") || changed.has("schedule")) this.#compare();
  }

  async #load(cursor) {
    try {
      const page = await api.get(api.path`schedules/${this.schedule}/versions`, {
        query: { limit: 20, cursor },
        signal: this.signal,
      });
      this.items = cursor ? [...this.items, ...page.items] : page.items;
      this.older = page.nextCursor;
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  async #compare() {
    this.diff = undefined;
    if (!this.open || this.open < 2) return;
    try {
      this.diff = await api.get(api.path`schedules/${this.schedule}/versions/${this.open - 1}/diff`, {
        query: { to: this.open },
        signal: this.signal,
      });
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #back(version) {
    const before = this.current;
    return perform({
      work: () => api.post(api.path`schedules/${this.schedule}/rollback`, { version }),
      done: (schedule) => `Version ${schedule.version ?? before + 1} is as version ${version} was.`,
      undo: () =>
        api.post(api.path`schedules/${this.schedule}/rollback`, { version: before }).then(() => this.changed()),
    }).then(() => this.changed());
  }

  render() {
    if (this.failure) return failureState(this.failure, () => ((this.failure = undefined), this.#load()));
    if (!this.items) return skeleton(2);
    return html`<ul class="versions">
        ${this.items.map(
          (item) =>
            html`<li>
              <a
                href=${href(router.view, { ...router.params, version: this.open === item.version ? undefined : item.version })}
                class="key"
                aria-expanded=${this.open === item.version ? "true" : "false"}
                >Version ${item.version}</a
              >
              <span class="soft">by ${item.createdBy}, ${timeText(item.createdAt)}</span>
              ${item.version === this.current ? html`<span class="faint">now</span>` : this.over ? nothing : ifMay("editor", () => html`<button class="small" @click=${() => this.#back(item.version)}>Roll back to ${item.version}</button>`)}
              ${this.open === item.version ? (item.version === 1 ? html`<p class="soft">The first.</p>` : this.diff ? changeTable(this.diff.changes) : skeleton(1)) : nothing}
            </li>`,
        )}
      </ul>
      ${this.older ? html`<p><button class="small" @click=${() => this.#load(this.older)}>Older versions</button></p>` : nothing}`;
  }
}
customElements.define("version-list", VersionList);

adopt(css`
  version-list .versions {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 8px;
  }
  version-list .versions li {
    overflow-wrap: anywhere;
  }
  version-list .changes {
    margin-top: 6px;
  }
  version-list .changes th[scope="row"] {
    white-space: normal;
  }
  version-list .changes .was {
    text-decoration: line-through;
    text-decoration-color: var(--bad);
  }
  .changes td {
    overflow-wrap: anywhere;
  }
`);
