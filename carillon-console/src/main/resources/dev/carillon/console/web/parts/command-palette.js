// Finds views, actions, schedules and runs by a few letters: opened by / or Ctrl-K.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { offeredActions } from "../app/actions.js";
import { bind } from "../app/keys.js";
import { href, router } from "../app/router.js";
import { session } from "../app/session.js";
import { moment } from "../app/time.js";
import { stateOf } from "../app/words.js";
import { mark } from "./status-mark.js";
import { views, shownViews } from "../views/list.js";

const PER_KIND = 5;
const SEARCH_FROM = 2;
const REST = 150;

let palette;

/** Opens the palette. */
export const openPalette = () => palette?.open();

class CommandPalette extends CarillonElement {
  static properties = { found: { state: true }, at: { state: true }, busy: { state: true } };
  #asking;
  #timer;

  connectedCallback() {
    super.connectedCallback();
    palette = this;
    this.found = [];
    this.at = 0;
    bind("/", "Find a schedule, run or action", () => session.me && this.open());
  }

  open() {
    const dialog = this.querySelector("dialog");
    if (dialog.open) return;
    dialog.showModal();
    this.#input.value = "";
    this.#input.focus();
    this.#show(this.#near(""));
  }

  get #input() {
    return this.querySelector("input");
  }

  #show(found) {
    this.found = found;
    this.at = 0;
  }

  #near(text) {
    const fits = (title) => title.toLowerCase().includes(text.toLowerCase());
    const pages = shownViews(session)
      .filter((view) => fits(view.title))
      .map((view) => ({ kind: "view", title: view.title, href: href(view.path) }));
    const actions = offeredActions()
      .filter((action) => fits(action.title))
      .map((action) => ({ kind: "action", title: action.title, run: action.run }));
    return [...pages, ...actions];
  }

  #typed() {
    const text = this.#input.value.trim();
    this.#show(this.#near(text));
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.busy = text.length >= SEARCH_FROM;
    if (this.busy) this.#timer = setTimeout(() => this.#search(text), REST);
  }

  async #search(text) {
    this.#asking = new AbortController();
    const options = { query: { q: text, limit: PER_KIND }, signal: this.#asking.signal };
    try {
      const [schedules, runs] = await Promise.all([api.get("schedules", options), api.get("runs", options)]);
      const has = (path) => views.some((view) => view.path === path);
      this.found = [
        ...this.#near(text),
        ...schedules.items.map((item) => ({
          kind: "schedule",
          title: item.key,
          says: item.status,
          href: has("schedule") ? href("schedule", { key: item.key }) : href("runs", { schedule: item.key }),
        })),
        ...runs.items.map((item) => ({
          kind: "run",
          tone: stateOf(item.state).tone,
          title: item.schedule ?? item.target,
          says: `${moment(item.slot)}, ${stateOf(item.state).word}`,
          href: has("run") ? href("run", { id: item.id }) : href("runs", { q: item.id }),
        })),
      ];
    } catch (failure) {
      if (isAbort(failure)) return;
      this.found = [...this.#near(text), { kind: "note", title: failure.message }];
    }
    this.busy = false;
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length) {
      event.preventDefault();
      this.at = (this.at + step + this.found.length) % this.found.length;
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#choose(this.found[this.at]);
    }
  }

  #choose(item) {
    if (!item || item.kind === "note") return;
    this.querySelector("dialog").close();
    if (item.run) item.run();
    else if (item.href) {
      const url = new URL(item.href);
      router.open(url.pathname.split("/").at(-1), Object.fromEntries(url.searchParams));
    }
  }

  updated() {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  render() {
    return html`<dialog class="palette" aria-label="Find">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-label="Find a schedule, run or action"
        aria-activedescendant=${this.found.length ? "palette-" + this.at : nothing}
        placeholder="Find a schedule, run, action …"
        autocomplete="off"
        spellcheck="false"
        @input=${() => this.#typed()}
        @keydown=${(event) => this.#key(event)}
      />
      <ul id="palette-list" role="listbox" aria-label="Found">
        ${this.found.map(
          (item, i) =>
            html`<li
              id="palette-${i}"
              role="option"
              aria-selected=${i === this.at ? "true" : "false"}
              @click=${() => this.#choose(item)}
            >
              ${item.tone ? mark(item.tone) : nothing}<span class="key">${item.title}</span>
              <span class="soft">${item.says ?? ""}</span><span class="grow"></span
              ><span class="faint">${item.kind}</span>
            </li>`,
        )}
      </ul>
      ${this.found.length ? nothing : html`<p class="soft palette-none">${this.busy ? "Looking …" : "Nothing is called that."}</p>`}
    </dialog>`;
  }
}
customElements.define("command-palette", CommandPalette);

adopt(css`
  .palette {
    margin-top: 12vh;
    padding: 8px;
    width: min(560px, calc(100vw - 24px));
  }
  .palette ul {
    list-style: none;
    margin: 8px 0 0;
    padding: 0;
    max-height: 50vh;
    overflow: auto;
  }
  .palette li {
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 7px 10px;
    border-radius: 6px;
    cursor: pointer;
  }
  .palette li[aria-selected="true"] {
    background: var(--accent-bg);
  }
  .palette-none {
    padding: 4px 10px;
    margin: 0;
  }
`);
