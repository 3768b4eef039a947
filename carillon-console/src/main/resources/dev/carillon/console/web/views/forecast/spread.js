// Spreads the schedules that fire together: H as the minute of a cron expression, or jitter. Shown before it is done.
import { api } from "../../app/api.js";
import { ask, perform, toast } from "../../app/actions.js";
import { html } from "../../app/element.js";
import { href } from "../../app/router.js";
import { moment } from "../../app/time.js";
import { count } from "../../app/words.js";
import { kindOf } from "../../parts/timing-kinds.js";

const JITTER = "PT10M";
const AT_ONCE = 6;

/** Returns the expression with H as its minute; undefined if that is no plain number. */
export function hashed(cron) {
  const fields = cron.trim().split(/\s+/);
  const minute = fields.length === 6 ? 1 : 0;
  if (fields.length < 5 || fields.length > 6 || !/^\d+$/.test(fields[minute])) return undefined;
  return fields.map((field, i) => (i === minute ? "H" : field)).join(" ");
}

/** Returns the patch that spreads a schedule by `way` ("hash" or "jitter"), if there is one. */
export function patchOf(schedule, way) {
  if (way === "jitter")
    return (schedule.jitter && schedule.jitter !== "PT0S") || kindOf(schedule.timing) === "at"
      ? undefined
      : { jitter: JITTER };
  const cron = schedule.timing.cron && hashed(schedule.timing.cron);
  return cron ? { timing: { cron } } : undefined;
}

async function few(items, work) {
  const done = [];
  for (let i = 0; i < items.length; i += AT_ONCE)
    done.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))));
  return done;
}

/** Returns what spreading these keys would do to each: `{ key, version, patch, from, to }`, and how many stay as they are. */
async function planned(keys, way) {
  const plans = await few(keys, async (key) => {
    const schedule = await api.get(api.path`schedules/${key}`);
    const patch = patchOf(schedule, way);
    if (!patch) return undefined;
    const dry = await api.patch(api.path`schedules/${key}`, patch, { query: { dryRun: true } });
    const [moved] = dry.firesMoved;
    const [from, to] = moved ? [moved.from, moved.to] : [dry.firesLost[0]?.dueAt, dry.firesGained[0]?.dueAt];
    return { key, version: schedule.version, cron: schedule.timing.cron, patch, from, to };
  });
  const doable = plans.filter(Boolean);
  return { plans: doable, left: plans.length - doable.length };
}

const row = (plan) =>
  html`<tr>
    <td><a class="key" href=${href("schedule", { key: plan.key })}>${plan.key}</a></td>
    <td class="mono">
      ${plan.patch.jitter ? html`jitter ${plan.patch.jitter}` : html`${plan.cron} → ${plan.patch.timing.cron}`}
    </td>
    <td class="nowrap">
      ${plan.from && plan.to ? html`${moment(plan.from)} → ${moment(plan.to)}` : "no other time soon"}
    </td>
  </tr>`;

/**
 * Shows what spreading would do, and does it; each schedule gets a new version, and goes back to its old one by undo.
 *
 * @param keys the schedules; @param all how many there are in that minute
 */
export async function spread({ keys, all, way }) {
  let plan;
  try {
    plan = await planned(keys, way);
  } catch (failure) {
    toast(failure.message, { tone: "bad" });
    return undefined;
  }
  if (!plan.plans.length)
    return void toast(
      way === "hash"
        ? "None of them has a cron expression with a fixed minute."
        : "All of them have jitter, or run once.",
      { tone: "bad" },
    );
  const done = await ask({
    title: `Spread ${count(plan.plans.length, "schedule")} ${way === "hash" ? "with H" : "with jitter"}?`,
    says: html`<p>
        ${way === "hash" ? "H is a minute that the key of a schedule decides: always the same for it, another for others." : `Jitter moves each fire by up to ${JITTER.slice(2).toLowerCase()}.`}${plan.left ? ` ${count(plan.left, "other")} cannot be spread so.` : ""}${all > keys.length ? ` ${all - keys.length} more fire then; they come next.` : ""}
      </p>
      <div class="spread-plan" tabindex="0" role="group" aria-label="What changes">
        <table>
          <thead>
            <tr>
              <th scope="col">schedule</th>
              <th scope="col">becomes</th>
              <th scope="col">next fire</th>
            </tr>
          </thead>
          <tbody>
            ${plan.plans.map(row)}
          </tbody>
        </table>
      </div>`,
    confirm: `Spread ${plan.plans.length}`,
    submit: async () => {
      const results = await few(plan.plans, (one) =>
        api.patch(api.path`schedules/${one.key}`, one.patch, { headers: { "If-Match": `"${one.version}"` } }).then(
          () => one,
          (failure) => ({ failure, key: one.key }),
        ),
      );
      const failed = results.filter((one) => one.failure);
      if (failed.length === results.length) throw failed[0].failure;
      return { changed: results.filter((one) => !one.failure), failed };
    },
  });
  if (!done) return undefined;
  toast(
    `${count(done.changed.length, "schedule")} spread${done.failed.length ? `; ${done.failed.map((one) => one.key).join(", ")} changed meanwhile` : ""}.`,
    {
      undo: () =>
        perform({
          work: () =>
            few(done.changed, (one) => api.post(api.path`schedules/${one.key}/rollback`, { version: one.version })),
          done: "Taken back.",
        }).then(() => dispatchEvent(new Event("forecast-changed"))),
    },
  );
  return done;
}
