// Bars in time: each is a stack of counts by tone. What is still to come is drawn as outlines.
import { html, svg } from "../app/element.js";
import { chartFrame } from "./chart-frame.js";

const WIDTH = 800;

/**
 * @param title what it shows
 * @param bars `{ label, parts: [{ tone, value, word }], future?, href? }`, the oldest first
 * @param ticks how many labels stand below
 * @param least for how many bars there is room at least: fewer stand at the end
 * @param now after how many bars the line of now stands, if there is one
 */
export function barChart({ title, bars, height = 130, ticks = 6, least = 1, now }) {
  const most = Math.max(1, ...bars.map((bar) => sum(bar.parts)));
  const step = WIDTH / Math.max(least, bars.length);
  const start = WIDTH - bars.length * step;
  const width = Math.max(1, step * 0.75);
  const draw = (bar, i) => {
    let y = height;
    const parts = bar.parts.filter((part) => part.value > 0).map((part) => {
      const tall = Math.max(2, (part.value / most) * (height - 8));
      y -= tall;
      return svg`<rect x=${start + i * step} y=${y} width=${width} height=${tall} rx="1.5" class=${bar.future ? "fill-wait" : "fill-" + part.tone}><title>${bar.label}: ${part.value} ${part.word}</title></rect>`;
    });
    return bar.href ? svg`<a href=${bar.href} tabindex="-1">${parts}</a>` : parts;
  };
  const every = Math.max(1, Math.ceil(bars.length / ticks));
  return chartFrame(
    title,
    ["time", ...words(bars)],
    bars.map((bar) => [bar.label, ...words(bars).map((word) => bar.parts.filter((part) => part.word === word).reduce((all, part) => all + part.value, 0))]),
    html`<svg viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" height=${height}>
      ${bars.map(draw)}
      ${now === undefined ? "" : svg`<line x1=${start + now * step} x2=${start + now * step} y1="0" y2=${height} class="stroke-accent" stroke-width="1.5"></line>`}
    </svg>
    <div class="chart-ticks ${start > 1 ? "at-end" : "in-place"}">${bars.filter((bar, i) => i % every === 0).map((bar) => html`<span>${bar.label}</span>`)}</div>`,
  );
}

const sum = (parts) => parts.reduce((all, part) => all + part.value, 0);
const words = (bars) => [...new Set(bars.flatMap((bar) => bar.parts.map((part) => part.word)))];
