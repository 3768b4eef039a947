// Failed runs by what made them fail: the same target, code and message, apart from numbers, is one cause.
import { html, css, adopt } from "../app/element.js";
import { href } from "../app/router.js";
import { count } from "../app/words.js";
import { timeText } from "./time-text.js";

const SHOWN = 8;

const causeOf = (run) =>
  [run.target, run.failure?.code ?? "", (run.failure?.message ?? run.reason ?? "").replace(/\d+/g, "#")].join("\n");

/** Returns the causes, the most frequent first: `{ runs, first }`, where the first is the latest run. */
export function byCause(runs) {
  const causes = new Map();
  for (const run of runs) causes.set(causeOf(run), [...(causes.get(causeOf(run)) ?? []), run]);
  return [...causes.values()]
    .map((same) => ({ runs: same, first: same[0] }))
    .sort((a, b) => b.runs.length - a.runs.length);
}

/** @param more whether there are older failures than these */
export function failureCauses(runs, { more = false } = {}) {
  const causes = byCause(runs);
  return html`<ul class="causes">
      ${causes.slice(0, SHOWN).map(({ runs: same, first }) => {
        const schedules = [...new Set(same.map((run) => run.schedule ?? run.target))];
        const wanted =
          schedules.length === 1 && first.schedule
            ? { state: "failed", schedule: first.schedule }
            : { state: "failed", target: first.target };
        return html`<li>
          <div class="cause-head">
            <a
              class="key"
              href=${first.schedule && schedules.length === 1 ? href("schedule", { key: first.schedule }) : href("runs", wanted)}
              >${schedules.slice(0, 2).join(", ")}${schedules.length > 2 ? ` and ${schedules.length - 2} more` : ""}</a
            ><a class="faint nowrap" href=${href("run", { id: first.id })}>${timeText(first.slot)}</a>
          </div>
          <div class="soft cause-text">${first.failure?.message ?? first.reason ?? "no reason was given"}</div>
          <a class="link" href=${href("runs", wanted)}>${count(same.length, "run")}${more ? " at least" : ""}</a>
        </li>`;
      })}
    </ul>
    ${causes.length > SHOWN ? html`<a class="link" href=${href("runs", { state: "failed" })}>and ${count(causes.length - SHOWN, "more cause")}</a>` : ""}`;
}

adopt(css`
  .causes {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .causes li {
    padding: 8px 0;
    border-bottom: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
    font-size: 13.5px;
  }
  .causes li:last-child {
    border: 0;
  }
  .causes .cause-head {
    display: flex;
    justify-content: space-between;
    gap: 8px;
  }
  .cause-text {
    overflow-wrap: anywhere;
    display: -webkit-box;
    -webkit-line-clamp: 3;
    -webkit-box-orient: vertical;
    overflow: hidden;
  }
`);
