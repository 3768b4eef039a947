// Filters that are part of the address: those in use can be taken away, others can be added.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { router } from "../app/router.js";
import { midnight, moment } from "../app/time.js";

const DAYS = [
  ["today", 0],
  ["yesterday", -1],
];

/** `filters`: `{ name, label, options?, type?, example?, rare? }`; rare ones are offered when more are asked for. `params`: the state of the view. If `from` and `to` are among them, days can be chosen. */
class FilterBar extends CarillonElement {
  static properties = {
    filters: { attribute: false },
    params: { attribute: false },
    open: { state: true },
    all: { state: true },
  };

  #use(name, value) {
    this.open = undefined;
    router.set({ [name]: value, cursor: undefined });
  }

  #word(filter, value) {
    if (filter.type === "datetime-local") return Number.isNaN(Date.parse(value)) ? value : moment(value);
    return filter.options?.find(([option]) => option === value)?.[1] ?? value;
  }

  #days() {
    const has = (name) => this.filters.some((filter) => filter.name === name) && !this.params[name];
    if (!has("from") || !has("to")) return nothing;
    const of = (day) => ({ from: midnight(day).toISOString(), to: midnight(day + 1).toISOString(), cursor: undefined });
    return DAYS.map(
      ([word, day]) =>
        html`<button class="filter" data-day=${word} @click=${() => router.set(of(day))}>+ ${word}</button>`,
    );
  }

  #editor(filter) {
    const id = "filter-" + filter.name;
    const given = (event) => {
      event.preventDefault();
      const value = event.target.elements[filter.name].value.trim();
      this.#use(filter.name, filter.type === "datetime-local" && value ? new Date(value).toISOString() : value);
    };
    return html`<form
      class="filter-editor"
      @submit=${given}
      @keydown=${(event) => event.key === "Escape" && (this.open = undefined)}
    >
      <label for=${id} class="hidden">${filter.label}</label>
      ${
        filter.options
          ? html`<select id=${id} name=${filter.name} @change=${(event) => this.#use(filter.name, event.target.value)}>
              <option value="">${filter.label} …</option>
              ${filter.options.map(([value, word]) => html`<option value=${value}>${word}</option>`)}
            </select>`
          : html`<input
                id=${id}
                name=${filter.name}
                type=${filter.type ?? "text"}
                placeholder=${filter.label + (filter.example ? `, such as ${filter.example}` : "")}
                autocomplete="off"
              /><button class="small">Add</button>`
      }
      <button type="button" class="small quiet" aria-label="Close" @click=${() => (this.open = undefined)}>✕</button>
    </form>`;
  }

  updated(changed) {
    if (changed.has("open") && this.open) this.querySelector(".filter-editor input, .filter-editor select")?.focus();
  }

  render() {
    const used = (filter) => this.params[filter.name] !== undefined;
    return html`<div class="filters" role="group" aria-label="Filters">
      ${this.filters.filter(used).map(
        (filter) =>
          html`<button
            class="filter on"
            data-filter=${filter.name}
            title="Take this filter away"
            @click=${() => this.#use(filter.name, undefined)}
          >
            <span class="filter-says">${filter.label}: ${this.#word(filter, this.params[filter.name])}</span>
            <span aria-hidden="true">✕</span>
          </button>`,
      )}
      ${this.filters
        .filter((filter) => !used(filter) && (this.all || !filter.rare))
        .map((filter) =>
          this.open === filter.name
            ? this.#editor(filter)
            : html`<button class="filter" data-filter=${filter.name} @click=${() => (this.open = filter.name)}>
                + ${filter.label}
              </button>`,
        )}
      ${!this.all && this.filters.some((filter) => filter.rare && !used(filter)) ? html`<button class="filter" data-filter="more" @click=${() => (this.all = true)}>+ more …</button>` : nothing}
      ${this.#days()}
      ${this.filters.some(used) ? html`<a class="filter-none soft" href=${location.pathname}>Clear</a>` : nothing}
    </div>`;
  }
}
customElements.define("filter-bar", FilterBar);

adopt(css`
  .filters {
    display: flex;
    gap: 8px;
    margin-bottom: 12px;
    flex-wrap: wrap;
    align-items: center;
  }
  .filter {
    border: 1px dashed var(--line);
    border-radius: 99px;
    padding: 3px 11px;
    font-size: 12.5px;
    color: var(--soft);
    background: none;
    max-width: 100%;
  }
  .filter.on {
    display: inline-flex;
    gap: 6px;
  }
  .filter-says {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .filter.on {
    border-style: solid;
    background: var(--accent-bg);
    color: var(--accent);
    border-color: transparent;
  }
  .filter-editor {
    display: flex;
    gap: 4px;
    align-items: center;
  }
  .filter-editor input,
  .filter-editor select {
    padding: 2px 8px;
    font-size: 12.5px;
    width: auto;
  }
  .filter-none {
    font-size: 12.5px;
  }
`);
