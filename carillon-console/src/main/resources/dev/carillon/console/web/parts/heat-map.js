// Squares in rows and columns, the darker the more.
import { html, svg } from "../app/element.js";
import { chartFrame } from "./chart-frame.js";

/**
 * @param rows `{ label, cells: [{ value, label, tone?, future?, href? }] }`
 * @param columns labels above some columns: `{ at, label }`
 */
export function heatMap({ title, rows, columns = [], cell = 14, gap = 2, labelWidth = 44 }) {
  const most = Math.max(1, ...rows.flatMap((row) => row.cells.map((one) => one.value)));
  const step = cell + gap;
  const width = labelWidth + step * Math.max(0, ...rows.map((row) => row.cells.length));
  const height = rows.length * step + 16;
  const square = (one, x, y) => {
    const shape = svg`<rect x=${x} y=${y} width=${cell} height=${cell} rx="2" class=${one.future ? "fill-wait" : one.value ? "fill-" + (one.tone ?? "accent") : "fill-none"} stroke-dasharray=${one.future ? "2 2" : "none"} opacity=${one.tone || one.future || !one.value ? 1 : 0.1 + 0.9 * (one.value / most)}><title>${one.label}</title></rect>`;
    return one.href ? svg`<a href=${one.href} tabindex="-1">${shape}</a>` : shape;
  };
  return chartFrame(
    title,
    ["place", "value"],
    rows.flatMap((row) => row.cells.filter((one) => one.value).map((one) => [one.label, one.value])),
    html`<svg viewBox="0 0 ${width} ${height}">
      ${rows.map((row, r) => svg`<text x="0" y=${r * step + cell - 3}>${row.label}</text>${row.cells.map((one, c) => square(one, labelWidth + c * step, r * step))}`)}
      ${columns.map((column) => svg`<text x=${labelWidth + column.at * step} y=${height - 2}>${column.label}</text>`)}
    </svg>`,
  );
}
