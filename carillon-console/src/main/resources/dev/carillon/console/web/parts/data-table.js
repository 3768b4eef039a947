// A table whose state is the address: sorted by `sort` (a column, with "-" before it for descending), paged by `cursor`.
// Rows are moved through by the arrow keys, Home and End; Enter opens the first link of a row.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { router, href } from "../app/router.js";
import { skeleton } from "./skeleton-lines.js";

/**
 * columns: `{ name, title, cell: (item) => template, sort?: (item) => value, wide?, right? }`; `wide` ones are left out on
 *   small screens; `sort` is for lists that come whole
 * items: undefined while they are loaded
 * nextCursor: where the next page begins, if there is one
 * empty: what is shown instead of no rows
 */
class DataTable extends CarillonElement {
  static properties = {
    columns: { attribute: false },
    items: { attribute: false },
    keyOf: { attribute: false },
    params: { attribute: false },
    nextCursor: { attribute: false },
    empty: { attribute: false },
    caption: {},
  };

  #sorted() {
    const wanted = this.params?.sort;
    if (!wanted) return this.items;
    const column = this.columns.find((one) => one.name === wanted.replace(/^-/, ""));
    if (!column?.sort) return this.items;
    const turn = wanted.startsWith("-") ? -1 : 1;
    return [...this.items].sort((a, b) => turn * compare(column.sort(a), column.sort(b)));
  }

  #head(column) {
    if (!column.sort) return html`<th scope="col" class=${look(column)}>${column.title}</th>`;
    const now = this.params?.sort;
    const next = now === column.name ? "-" + column.name : column.name;
    const order = now === column.name ? "ascending" : now === "-" + column.name ? "descending" : nothing;
    return html`<th scope="col" class=${look(column)} aria-sort=${order}>
      <button class="sort" @click=${() => router.set({ sort: next })}>
        ${column.title}<span aria-hidden="true"
          >${order === "ascending" ? " ↑" : order === "descending" ? " ↓" : ""}</span
        >
      </button>
    </th>`;
  }

  #move(event) {
    const row = event.target.closest("tbody tr");
    if (!row || event.target.closest("input, select, textarea")) return;
    const rows = [...this.querySelectorAll("tbody tr")];
    const at = rows.indexOf(row);
    const to = { ArrowDown: rows[at + 1], ArrowUp: rows[at - 1], Home: rows[0], End: rows.at(-1) }[event.key];
    if (to) {
      event.preventDefault();
      rows.forEach((one) => (one.tabIndex = one === to ? 0 : -1));
      to.focus();
    } else if (event.key === "Enter" && event.target === row) {
      row.querySelector("a[href]")?.click();
    }
  }

  /** Moves the focus to the first row. */
  focusRows() {
    this.querySelector("tbody tr")?.focus();
  }

  render() {
    if (this.items === undefined) return html`<div class="panel table-panel">${skeleton(8)}</div>`;
    if (this.items.length === 0 && !this.params?.cursor && !this.nextCursor)
      return html`<div class="panel">${this.empty}</div>`;
    return html`<div class="panel table-panel" @keydown=${(event) => this.#move(event)}>
        <table>
          <caption class="hidden">
            ${this.caption}
          </caption>
          <thead>
            <tr>
              ${this.columns.map((column) => this.#head(column))}
            </tr>
          </thead>
          <tbody>
            ${this.#sorted().map(
              (item, i) =>
                html`<tr tabindex=${i === 0 ? 0 : -1} data-key=${this.keyOf(item)}>
                  ${this.columns.map((column) => html`<td class=${look(column)} data-column=${column.name}>${column.cell(item)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        this.params?.cursor || this.nextCursor
          ? html`<nav class="pages" aria-label="Pages">
              ${this.params?.cursor ? html`<a class="btn" href=${href(router.view, { ...this.params, cursor: undefined })}>First page</a>` : nothing}
              ${this.nextCursor ? html`<a class="btn" rel="next" href=${href(router.view, { ...this.params, cursor: this.nextCursor })}>Next page</a>` : nothing}
            </nav>`
          : nothing
      }`;
  }
}
customElements.define("data-table", DataTable);

const look = (column) => `${column.wide ? "wide-only" : ""} ${column.right ? "right" : ""}`;

function compare(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return a < b ? -1 : 1;
}

adopt(css`
  .table-panel {
    padding: 4px 8px;
    overflow-x: auto;
    position: relative;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th {
    text-align: left;
    font-weight: 500;
    font-size: 12px;
    color: var(--faint);
    padding: 8px 10px;
    border-bottom: 1px solid var(--line);
    white-space: nowrap;
  }
  td {
    padding: 8px 10px;
    border-bottom: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
    vertical-align: middle;
  }
  tbody tr:last-child td {
    border: 0;
  }
  tbody tr:hover {
    background: color-mix(in srgb, var(--accent-bg) 40%, transparent);
  }
  tbody tr:focus-visible {
    outline-offset: -2px;
  }
  th.right,
  td.right {
    text-align: right;
  }
  td > div.faint,
  td > .faint + div {
    font-size: 12.5px;
  }
  .sort {
    border: 0;
    background: none;
    padding: 0;
    color: inherit;
    font: inherit;
  }
  .sort:hover {
    color: var(--ink);
  }
  .pages {
    display: flex;
    gap: 8px;
    justify-content: flex-end;
    margin-top: 12px;
  }
  @media (max-width: 760px) {
    .table-panel {
      padding: 2px 4px;
    }
    th,
    td {
      padding: 8px 6px;
    }
  }
`);
