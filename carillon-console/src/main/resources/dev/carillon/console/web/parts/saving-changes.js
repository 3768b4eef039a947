// What saving a definition changes in the next thirty days: fires gained, lost and moved, as squares of days and in words.
import { html, css, adopt, nothing } from "../app/element.js";
import { serverNow } from "../app/clock.js";
import { isoDay, moment } from "../app/time.js";
import { count } from "../app/words.js";
import { chip } from "./status-mark.js";

const DAY = 86_400_000;
const TOLD = 3;

/** @param dryRun the server's answer; @param zone in which days and times are said */
export function savingChanges(dryRun, zone) {
  const { firesGained: gained, firesLost: lost, firesMoved: moved } = dryRun;
  const on = (instants) => new Set(instants.map((at) => isoDay(at, zone)));
  const due = (fires) => fires.map((fire) => fire.dueAt);
  const marks = [
    [on(moved.map(({ to }) => to)), "moved"],
    [on(due(lost)), "lost"],
    [on(due(gained)), "gained"],
  ];
  const days = Array.from({ length: 30 }, (_, i) => isoDay(serverNow() + i * DAY, zone));
  const kind = (day) => {
    const found = marks.filter(([there]) => there.has(day)).map(([, name]) => name);
    return found.includes("lost") && found.includes("gained") ? "moved" : (found.at(0) ?? "");
  };
  const least = 100;
  const many = (fires) => (fires.length >= least ? `${least} or more` : String(fires.length));
  const told = (fires) =>
    fires
      .slice(0, TOLD)
      .map((fire) => moment(fire.dueAt, { zone }))
      .join(", ") + (fires.length > TOLD ? ", …" : "");
  return html`<div
      class="days"
      role="img"
      aria-label=${`${many(gained)} gained, ${many(lost)} lost, ${many(moved)} moved`}
    >
      ${days.map((day) => html`<span class=${kind(day)} title=${day}>${Number(day.slice(8))}</span>`)}
    </div>
    <p>
      ${chip("ok", `+ ${many(gained)} gained`)} ${chip("bad", `− ${many(lost)} lost`)}
      ${chip("skip", `${many(moved)} moved`)}
    </p>
    ${lost.length ? html`<p>Lost: ${told(lost)}</p>` : nothing}${gained.length ? html`<p>Gained: ${told(gained)}</p>` : nothing}
    ${moved.length ? html`<p>Moved: ${moved.slice(0, TOLD).map(({ from, to }) => html`${moment(from, { zone })} to ${moment(to, { zone })}; `)}</p>` : nothing}
    ${!gained.length && !lost.length && !moved.length ? html`<p>No fire comes or goes.</p>` : nothing}
    ${dryRun.changedFields.length ? html`<p>${count(dryRun.changedFields.length, "field")} ${dryRun.changedFields.length === 1 ? "differs" : "differ"}: ${dryRun.changedFields.join(", ")}.</p>` : nothing}`;
}

adopt(css`
  .days {
    display: grid;
    grid-template-columns: repeat(10, 1fr);
    gap: 5px;
    margin: 10px 0;
  }
  .days span {
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: 4px;
    font-size: 11px;
    text-align: center;
    padding: 3px 0;
    color: var(--soft);
  }
  .days .gained {
    border: 2px solid var(--ok);
    color: var(--ok);
    background: var(--ok-bg);
  }
  .days .lost {
    border-color: var(--bad);
    color: var(--bad);
    background: linear-gradient(135deg, var(--bad-bg) 47%, var(--bad) 47% 53%, var(--bad-bg) 53%);
  }
  .days .moved {
    border: 1px dashed var(--skip);
    color: var(--skip);
    background: var(--skip-bg);
  }
`);
