// The last runs of something as small bars: height is the duration, colour the outcome.
import { html, svg } from "../app/element.js";
import { duration, precisely } from "../app/time.js";
import { stateOf } from "../app/words.js";

const HEIGHT = 22;

/** @param runs as the API lists them, the oldest first; `startedAt` and `finishedAt` make the height */
export function runStrip(runs) {
  const took = (run) => (run.startedAt && run.finishedAt ? new Date(run.finishedAt) - new Date(run.startedAt) : 0);
  const most = Math.max(1, ...runs.map(took));
  const bad = runs.filter((run) => run.state === "failed").length;
  const says = runs.length ? `${runs.length} runs, ${bad} failed` : "no runs yet";
  return html`<svg class="run-strip" width=${Math.max(6, runs.length * 6)} height=${HEIGHT} role="img" aria-label=${says}>${runs.map((run, i) => {
    const tall = 6 + Math.round(14 * (took(run) / most));
    const state = stateOf(run.state);
    return svg`<rect x=${i * 6} y=${HEIGHT - tall} width="4" height=${tall} rx="1" class="fill-${state.tone}"><title>${precisely(run.slot)}: ${state.word} ${took(run) ? duration(took(run)) : ""}</title></rect>`;
  })}</svg>`;
}
