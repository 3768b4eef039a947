// What every chart has: a name for screen readers, and its numbers as a table behind it.
import { html, css, adopt } from "../app/element.js";

/**
 * @param title what the chart shows, in a sentence
 * @param heads the columns of the table behind it
 * @param rows its rows, as texts
 */
export const chartFrame = (title, heads, rows, drawing) => html`<figure class="chart" aria-label=${title}>
  <div aria-hidden="true">${drawing}</div>
  <details class="chart-table"><summary>${title}: as a table</summary>
    <div class="chart-scroll" tabindex="0" role="group" aria-label=${title}><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details>
</figure>`;

adopt(css`
  .chart { margin: 0; } .chart-ticks { display: flex; justify-content: space-between; font-size: 11px; color: var(--faint); padding-top: 4px; } .chart-ticks.in-place span { flex: 1 1 0; min-width: 0; white-space: nowrap; } .chart-ticks.at-end { justify-content: flex-end; gap: 12px; } .chart svg { display: block; width: 100%; overflow: visible; } .chart-table { font-size: 12px; color: var(--faint); margin-top: 4px; } .chart-table summary { cursor: pointer; } .chart-scroll { max-height: 240px; overflow: auto; }
`);
