// Bars in time: each is a stack of counts by tone. What is still to come is drawn as outlines.
import { html, svg, nothing } from "../app/element.js";
import { chartFrame } from "./chart-frame.js";

const WIDTH = 800;

/**
 * @param title what it shows
 * @param bars `{ label, tick?, parts: [{ tone, value, word }], future?, href? }`, the oldest first; `tick` is what stands below
 * @param ticks how many labels stand below, if no bar has a tick of its own
 * @param least for how many bars there is room at least: fewer stand at the end
 * @param now after how many bars the line of now stands, if there is one
 * @param say how the value of the highest bar reads; without it, none is said
 */
export function barChart({ title, bars, height = 130, ticks = 6, least = 1, now, say }) {
  const most = Math.max(1, ...bars.map((bar) => sum(bar.parts)));
  const step = WIDTH / Math.max(least, bars.length);
  const start = WIDTH - bars.length * step;
  const width = Math.max(1, step * 0.75);
  const draw = (bar, i) => {
    let y = height;
    const parts = bar.parts
      .filter((part) => part.value > 0)
      .map((part) => {
        const tall = Math.max(2, (part.value / most) * (height - 8));
        y -= tall;
        // A gap parts what failed from what is below it, so that it is seen without its colour.
        const gap = part.tone === "ok" || y + tall >= height ? 0 : 1.5;
        return svg`<rect x=${start + i * step} y=${y} width=${width} height=${Math.max(1, tall - gap)} rx="1.5" class=${bar.future ? "fill-wait" : "fill-" + part.tone} vector-effect="non-scaling-stroke"><title>${bar.label}: ${part.value} ${part.word}</title></rect>`;
      });
    return bar.href
      ? svg`<a href=${bar.href} tabindex="-1"><rect x=${start + i * step} y="0" width=${step} height=${height} class="fill-nothing"></rect>${parts}</a>`
      : parts;
  };
  const percent = (i) => `${((100 * (start + i * step)) / WIDTH).toFixed(2)}%`;
  return chartFrame(
    title,
    ["time", ...words(bars)],
    bars.map((bar) => [
      bar.label,
      ...words(bars).map((word) =>
        bar.parts.filter((part) => part.word === word).reduce((all, part) => all + part.value, 0),
      ),
    ]),
    html`<div class="chart-plot">
        <svg viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" height=${height}>
          ${say ? svg`<line x1="0" x2=${WIDTH} y1="8" y2="8" class="stroke-line" stroke-dasharray="2 4" vector-effect="non-scaling-stroke"></line>` : nothing}
          <line
            x1="0"
            x2=${WIDTH}
            y1=${height}
            y2=${height}
            class="stroke-line"
            vector-effect="non-scaling-stroke"
          ></line>
          ${bars.map(draw)}
          ${now === undefined ? nothing : svg`<line x1=${start + now * step} x2=${start + now * step} y1="0" y2=${height} class="stroke-accent" stroke-width="1.5" vector-effect="non-scaling-stroke"></line>`}</svg
        >${say ? html`<span class="chart-most">${say(most)}</span>` : nothing}${now === undefined ? nothing : html`<span class="chart-now" .style=${`left: ${percent(now)}`}>now</span>`}
      </div>
      <div class="chart-ticks">
        ${marks(bars, ticks).map(
          ({ i, text }) => html`<span .style=${`left: min(${percent(i)}, 100% - ${text.length}ch)`}>${text}</span>`,
        )}
      </div>`,
  );
}

/* What stands below: the ticks that bars have, else labels at equal distances. */
function marks(bars, ticks) {
  const own = bars.flatMap((bar, i) => (bar.tick ? [{ i, text: bar.tick }] : []));
  if (own.length || bars.some((bar) => bar.tick !== undefined)) return own;
  const every = Math.max(1, Math.ceil(bars.length / ticks));
  return bars.flatMap((bar, i) => (i % every === 0 ? [{ i, text: bar.label }] : []));
}

const sum = (parts) => parts.reduce((all, part) => all + part.value, 0);
const words = (bars) => [...new Set(bars.flatMap((bar) => bar.parts.map((part) => part.word)))];
