// What can be done with a schedule, from any view: each asks for what it needs, says what it does, and can be taken back
// where that is possible.
import { html } from "../app/element.js";
import { api } from "../app/api.js";
import { ask, perform, toast } from "../app/actions.js";
import { readObject, writeJson } from "../app/json.js";
import { instantOf, oftenUntil } from "../app/time.js";
import { count, number } from "../app/words.js";
import { OVERLAP_CHOICES } from "./schedule-words.js";

const pauseFields = () => [
  { name: "reason", label: "Reason, for the audit and whoever wonders", required: true },
  {
    name: "until",
    label: "Until (your time); empty: until somebody resumes it",
    type: "datetime-local",
    often: oftenUntil(),
  },
];

/** Asks for a reason and an end, and pauses; `undo` resumes. */
export async function pause(schedule) {
  const done = await ask({
    title: `Pause ${schedule.key}?`,
    says: "Slots that come meanwhile are recorded with your reason and do not run. A run that is going on is not stopped.",
    fields: pauseFields(),
    confirm: "Pause",
    submit: ({ reason, until }) =>
      api.post(api.path`schedules/${schedule.key}/pause`, { reason, until: instantOf(until) }),
  });
  if (done) toast(`${schedule.key} is paused.`, { undo: () => resume(schedule) });
  return done;
}

/** Resumes at once; `undo` pauses it again for the reason it had. */
export const resume = (schedule) =>
  perform({
    work: () => api.post(api.path`schedules/${schedule.key}/resume`),
    done: `${schedule.key} fires again.`,
    undo: schedule.pauseReason
      ? () =>
          api.post(api.path`schedules/${schedule.key}/pause`, {
            reason: schedule.pauseReason,
            until: schedule.pausedUntil ?? undefined,
          })
      : undefined,
  });

/** Asks which payload and which overlap rule, and runs now. */
export const runNow = (schedule) =>
  ask({
    title: `Run ${schedule.key} now?`,
    says: "This is a run by hand: it takes no slot, and the timing goes on as it is.",
    fields: [
      {
        name: "overlap",
        label: "If a run is still going",
        type: "select",
        value: "",
        options: [
          ["", `As the schedule says (${schedule.overlap})`],
          ...OVERLAP_CHOICES.map(([value, word, says]) => [value, `${word}: ${says}`]),
        ],
      },
      {
        name: "payload",
        label: "Payload, as JSON; empty: the schedule's own",
        type: "textarea",
        value: schedule.payload && Object.keys(schedule.payload).length ? writeJson(schedule.payload) : "",
      },
    ],
    confirm: "Run now",
    submit: ({ overlap, payload }) =>
      api.post(api.path`schedules/${schedule.key}/run`, {
        overlap,
        payload: payload ? readObject(payload, "/payload") : undefined,
      }),
  }).then((run) => {
    if (run) toast(`${schedule.key} runs.`, { undo: run.id ? () => cancel(run.id) : undefined });
    return run;
  });

const cancel = (id) =>
  perform({
    work: () => api.post(api.path`runs/${id}/cancel`, { reason: "taken back in the console" }),
    done: "Canceled.",
  });

/** Retires; `undo` stores the same definition again, which makes it fire again. */
export async function retire(schedule) {
  const done = await ask({
    title: `Retire ${schedule.key}?`,
    says: "It fires no more. Its runs, versions and audit stay; storing it again under the same key brings it back.",
    confirm: "Retire",
    danger: true,
    submit: () => api.delete(api.path`schedules/${schedule.key}`),
  });
  if (done) toast(`${schedule.key} is retired.`, { undo: () => revive(schedule.key) });
  return done;
}

const revive = (key) =>
  perform({
    work: async () => {
      const last = await api.get(api.path`schedules/${key}`);
      return api.put(api.path`schedules/${key}`, definition(last));
    },
    done: `${key} fires again.`,
  });

const SHOWN_ONLY = [
  "key",
  "version",
  "status",
  "pauseReason",
  "pausedUntil",
  "comingPause",
  "timingText",
  "createdAt",
  "createdBy",
  "updatedAt",
  "updatedBy",
  "next",
  "nextDue",
  "lastRun",
  "recent",
  "warnings",
  "supersedes",
  "retiredAt",
];

/** What of a schedule was defined: everything that can be stored again, without what is as if it were left out. */
export function definition(schedule) {
  return Object.fromEntries(
    Object.entries(schedule).filter(([name, value]) => !SHOWN_ONLY.includes(name) && value !== null),
  );
}

const VERBS = {
  pause: {
    title: "Pause",
    done: "paused",
    says: "Slots that come meanwhile are recorded with your reason and do not run.",
    fields: pauseFields,
    undo: { action: "resume", reason: "taken back in the console" },
    undone: "Resumed again.",
    already: "paused already",
  },
  resume: { title: "Resume", done: "resumed", says: "They fire again from now on.", already: "active already" },
  run: { title: "Run", done: "asked to run", says: "Each runs once, now, as its overlap rule allows." },
  delete: { title: "Retire", done: "retired", says: "They fire no more. Their history stays.", danger: true },
};

/**
 * Does the same with many, after showing how many and which.
 *
 * @param keys those that were chosen, or undefined for all that match `filter`
 * @param active which of the chosen are active, so that taking back a pause leaves the others paused
 */
export async function changeMany(action, { keys, active, filter = {} }) {
  const verb = VERBS[action];
  const wanted = keys ? { keys } : filter;
  const preview = await perform({ work: () => bulk({ action, reason: "a preview", filter: wanted, dryRun: true }) });
  if (!preview) return undefined;
  if (!preview.matched)
    return void toast(`Nothing to ${verb.title.toLowerCase()}: none of them fires any more.`, { tone: "skip" });
  const rest = preview.matched - preview.first.length;
  const done = await ask({
    title: `${verb.title} ${count(preview.matched, "schedule")}?`,
    says: html`<p>${verb.says}</p>
      <ul class="hits" aria-label="What it hits">
        ${preview.first.map((key) => html`<li class="mono">${key}</li>`)}${rest > 0 ? html`<li class="faint">and ${count(rest, "more", "more")}</li>` : ""}
      </ul>`,
    fields: verb.fields?.() ?? [{ name: "reason", label: "Reason, for the audit", required: true }],
    confirm: `${verb.title} ${preview.matched}`,
    danger: verb.danger,
    submit: ({ reason, until }) =>
      bulk({
        action,
        reason,
        until: action === "pause" ? instantOf(until) : undefined,
        filter: wanted,
        ...(Object.values(wanted).some(Boolean) ? { expect: preview.matched } : { all: true }),
      }),
  });
  if (!done) return undefined;
  const left = preview.matched - done.schedules;
  const undo =
    verb.undo && active?.length
      ? () => perform({ work: () => bulk({ ...verb.undo, filter: { keys: active }, all: true }), done: verb.undone })
      : undefined;
  toast(
    `${count(done.schedules, "schedule")} ${verb.done}${left && verb.already ? `; ${number(left)} ${left === 1 ? "was" : "were"} ${verb.already}` : ""}.`,
    { undo },
  );
  return done;
}

const bulk = (order) => api.post("schedules/bulk", order);
