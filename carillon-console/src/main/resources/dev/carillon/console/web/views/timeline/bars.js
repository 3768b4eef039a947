// The bars of a row: past runs filled, those at work up to now, slots to come as outlines as wide as the last run took.
import { html, svg, css, adopt, nothing } from "../../app/element.js";
import { href } from "../../app/router.js";
import { clockSeconds, duration } from "../../app/time.js";
import { count, stateOf } from "../../app/words.js";
import { place, ticksOf } from "./window.js";

const [HEIGHT, BAR, THIN] = [26, 14, 0.35];

/** What the bars show, in words: they themselves are hidden from who cannot see them. */
export function rowWords(row) {
  const bad = row.runs.filter((run) => run.state === "failed").length;
  return `${count(row.runs.length, "run")}${bad ? `, ${bad} failed` : ""}${row.coming.length ? `, ${row.coming.length} to come` : ""}`;
}

export function rowBars(row, window, now) {
  return html`<svg class="bars" width="100%" height=${HEIGHT} aria-hidden="true">
    ${grid(window, now)}${row.runs.map((run) => runBar(run, window, now))}${row.coming.map((fire) => fireBar(fire, window))}
  </svg>`;
}

function runBar(run, window, now) {
  const begins = run.startedAt ?? run.dueAt;
  const ends = run.finishedAt ?? Math.max(now, Date.parse(begins)); // at work, or overdue
  const state = stateOf(run.state);
  const took = run.durationMs === null || run.durationMs === undefined ? "" : `, ${duration(run.durationMs)}`;
  return svg`<a href=${href("run", { id: run.id })} tabindex="-1"><title>${clockSeconds(begins)} ${state.word}${took}</title>${bar(place(window, begins), place(window, ends), `fill-${state.tone}`)}</a>`;
}

function fireBar(fire, window) {
  const from = place(window, fire.dueAt);
  const runs = fire.decision === "will_run";
  return svg`<g><title>${clockSeconds(fire.dueAt)} ${runs ? "to come" : fire.reason}</title>${bar(from, place(window, Date.parse(fire.dueAt) + fire.took), runs ? "outline" : "outline left-out")}</g>`;
}

const bar = (from, to, look) => {
  const begin = Math.max(-1, from);
  const rect = (y, height) =>
    svg`<rect x="${begin}%" y=${y} width="${Math.max(THIN, Math.min(101, to) - begin)}%" height=${height} rx=${height > 6 ? 2.5 : 1} class="bar ${look}"></rect>`;
  const top = (HEIGHT - BAR) / 2;
  // As in strips of runs: what failed is taller, with a gap below its top.
  return look === "fill-bad" ? svg`${rect(top - 4, 5)}${rect(top + 3, BAR - 3)}` : rect(top, BAR);
};

function grid(window, now) {
  const at = place(window, now);
  return svg`${ticksOf(window).map((tick) => svg`<line x1="${place(window, tick)}%" x2="${place(window, tick)}%" y1="0" y2=${HEIGHT} class="stroke-line"></line>`)}
    ${at >= 0 && at <= 100 ? svg`<line x1="${at}%" x2="${at}%" y1="0" y2=${HEIGHT} class="now-line"></line>` : nothing}`;
}

const CROWD = 120;
const CROWD_HEIGHT = 44;

/** How many begin at a time, over all rows: herds stand out. */
export function crowd(rows, window, now) {
  const counts = Array.from({ length: CROWD }, () => ({ past: 0, coming: 0 }));
  const add = (at, which) => {
    const bin = Math.floor((place(window, at) / 100) * CROWD);
    if (counts[bin]) counts[bin][which]++;
  };
  for (const row of rows) {
    row.runs.forEach((run) => add(run.startedAt ?? run.dueAt, "past"));
    row.coming.forEach((fire) => add(fire.dueAt, "coming"));
  }
  const most = Math.max(1, ...counts.map((one) => one.past + one.coming));
  const at = place(window, now);
  return {
    most,
    each: window.span / CROWD,
    drawing: html`<svg
      class="bars"
      width="100%"
      height=${CROWD_HEIGHT}
      role="img"
      aria-label="How many start at about the same time: at most ${most}"
    >
      ${counts.map((one, i) => {
        const tall = (value) => (value / most) * (CROWD_HEIGHT - 4);
        return svg`${one.past ? svg`<rect x="${(i / CROWD) * 100}%" y=${CROWD_HEIGHT - tall(one.past)} width="${80 / CROWD}%" height=${tall(one.past)} class="fill-accent"></rect>` : nothing}${one.coming ? svg`<rect x="${(i / CROWD) * 100}%" y=${CROWD_HEIGHT - tall(one.past + one.coming)} width="${80 / CROWD}%" height=${tall(one.coming)} class="outline"></rect>` : nothing}`;
      })}${at >= 0 && at <= 100 ? svg`<line x1="${at}%" x2="${at}%" y1="0" y2=${CROWD_HEIGHT} class="now-line"></line>` : nothing}
    </svg>`,
  };
}

adopt(css`
  .bars {
    display: block;
    overflow: hidden;
  }
  .bars .bar {
    opacity: 0.88;
  }
  .bars .bar.fill-wait {
    fill: var(--wait-bg);
  }
  .bars a:hover .bar {
    opacity: 1;
    stroke: var(--ink);
  }
  .outline {
    fill: none;
    stroke: var(--wait);
    stroke-width: 1.2;
  }
  .outline.left-out {
    stroke-dasharray: 2 2;
    stroke: var(--skip);
  }
  .now-line {
    stroke: var(--accent);
    stroke-width: 1.5;
  }
  .bars .stroke-line {
    opacity: 0.7;
  }
`);
