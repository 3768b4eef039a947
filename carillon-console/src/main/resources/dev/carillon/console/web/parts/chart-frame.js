// What every chart has: a name for screen readers, and its numbers as a table behind it.
import { html, css, adopt } from "../app/element.js";

/**
 * @param title what the chart shows, in a sentence
 * @param heads the columns of the table behind it
 * @param rows its rows, as texts
 */
export const chartFrame = (title, heads, rows, drawing) =>
  html`<figure class="chart" aria-label=${title}>
    <div aria-hidden="true">${drawing}</div>
    ${chartTable(title, heads, rows)}
  </figure>`;

/** The numbers behind a chart, closed until somebody wants them. */
export const chartTable = (title, heads, rows) =>
  html`<details class="chart-table">
    <summary><span class="hidden">${title}: </span>as a table</summary>
    <div class="chart-scroll" tabindex="0" role="group" aria-label=${title}>
      <table>
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${row.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;

adopt(css`
  .chart {
    margin: 0;
  }
  .chart svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  .chart-ticks {
    position: relative;
    height: 20px;
    font-size: 11px;
    color: var(--faint);
    overflow: hidden;
  }
  .chart-ticks > * {
    position: absolute;
    top: 4px;
    white-space: nowrap;
  }
  .chart-ends {
    display: flex;
    justify-content: space-between;
    gap: 8px;
    font-size: 11px;
    color: var(--faint);
    padding-top: 4px;
  }
  .chart-plot {
    position: relative;
  }
  .chart-most,
  .chart-now {
    position: absolute;
    top: -6px;
    font-size: 11px;
    line-height: 1;
    color: var(--faint);
    background: var(--panel);
  }
  .chart-most {
    right: 0;
    padding-left: 4px;
  }
  .chart-now {
    color: var(--accent);
    padding: 0 4px;
  }
  .chart-table {
    font-size: 11px;
    color: var(--faint);
    text-align: right;
    margin-top: -2px;
  }
  .chart-table summary {
    cursor: pointer;
    display: inline-block;
    list-style: none;
    text-decoration: underline;
    text-decoration-color: var(--line);
    text-underline-offset: 2px;
  }
  .chart-table summary::-webkit-details-marker {
    display: none;
  }
  .chart-table summary:hover {
    color: var(--ink);
  }
  .chart-scroll {
    max-height: 240px;
    overflow: auto;
    text-align: left;
    font-size: 12px;
    margin-top: 6px;
  }
  .chart-scroll :is(td, th) {
    padding: 4px 8px;
  }
`);
