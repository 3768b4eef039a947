// A line through values in order; values that are missing break it.
import { html, svg } from "../app/element.js";
import { chartFrame } from "./chart-frame.js";

const WIDTH = 800;

/** @param points `{ label, value }`, the oldest first; @param say how a value reads */
export function lineChart({ title, points, say = String, height = 120 }) {
  const most = Math.max(1, ...points.map((point) => point.value ?? 0));
  const step = WIDTH / Math.max(1, points.length - 1);
  let pen = "M";
  const path = points
    .map((point, i) => {
      if (point.value === null || point.value === undefined) {
        pen = "M";
        return "";
      }
      const drawn = `${pen}${(i * step).toFixed(1)} ${(height - (point.value / most) * (height - 8)).toFixed(1)}`;
      pen = "L";
      return drawn;
    })
    .join("");
  return chartFrame(
    title,
    ["time", "value"],
    points.map((point) => [point.label, point.value === null || point.value === undefined ? "none" : say(point.value)]),
    html`<svg viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" height=${height}>
        <line x1="0" x2=${WIDTH} y1=${height} y2=${height} class="stroke-line"></line>
        ${svg`<path d=${path || "M0 0"} class="stroke-accent" stroke-width="1.5" vector-effect="non-scaling-stroke"></path>`}
      </svg>
      <div class="chart-ends">
        <span>${points[0]?.label ?? ""}</span><span>up to ${say(most)}</span><span>${points.at(-1)?.label ?? ""}</span>
      </div>`,
  );
}
