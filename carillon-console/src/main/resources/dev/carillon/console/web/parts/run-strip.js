// The last runs of something as small bars: height is the duration, colour and shape are the outcome. What succeeded is
// full, what failed has a gap below its top, what runs is rounded, and what did not run is an outline.
import { html, svg } from "../app/element.js";
import { duration, precisely } from "../app/time.js";
import { stateOf } from "../app/words.js";

const HEIGHT = 22;
const STEP = 6;

/** @param runs as the API lists them, the oldest first; `startedAt` and `finishedAt` make the height */
export function runStrip(runs) {
  const took = (run) => (run.startedAt && run.finishedAt ? new Date(run.finishedAt) - new Date(run.startedAt) : 0);
  const most = Math.max(1, ...runs.map(took));
  const bad = runs.filter((run) => run.state === "failed").length;
  const says = runs.length ? `${runs.length} ${runs.length === 1 ? "run" : "runs"}, ${bad} failed` : "no runs yet";
  return html`<svg
    class="run-strip"
    width=${Math.max(STEP, runs.length * STEP)}
    height=${HEIGHT}
    role="img"
    aria-label=${says}
  >
    ${runs.map((run, i) => {
      const state = stateOf(run.state);
      const tall = 7 + Math.round(13 * (took(run) / most));
      return svg`<g><title>${precisely(run.slot)}: ${state.word} ${took(run) ? duration(took(run)) : ""}</title>${bar(state.tone, i * STEP, tall)}</g>`;
    })}
  </svg>`;
}

function bar(tone, x, tall) {
  const y = HEIGHT - tall;
  if (tone === "bad")
    return svg`<rect x=${x} y=${y} width="4" height="3" class="fill-bad"></rect><rect x=${x} y=${y + 4} width="4" height=${tall - 4} class="fill-bad"></rect>`;
  if (tone === "skip" || tone === "wait")
    return svg`<rect x=${x + 0.5} y=${y + 0.5} width="3" height=${tall - 1} class="hollow-${tone}"></rect>`;
  return svg`<rect x=${x} y=${y} width="4" height=${tall} rx=${tone === "run" ? 2 : 1} class="fill-${tone}"></rect>`;
}
