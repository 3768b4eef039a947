// What can be done with dead letters: run them again, one, many or at a rate, with another payload; or give them up.
import { ApiError, api } from "../../app/api.js";
import { ask, perform, toast } from "../../app/actions.js";
import { html } from "../../app/element.js";
import { readObject, writeJson } from "../../app/json.js";
import { count } from "../../app/words.js";
import { paced } from "./paced.js";

const AT_ONCE = 500;
const UNDONE = 100;
const FASTEST = 600;

const runs = (many) => count(many, "dead letter");
const takeBack = (id) => api.post(api.path`runs/${id}/cancel`, { reason: "taken back in the console" });

async function inBatches(ids, send) {
  let done = 0;
  for (let i = 0; i < ids.length; i += AT_ONCE) done += await send(ids.slice(i, i + AT_ONCE));
  return done;
}

const redriveIds = (ids) =>
  inBatches(ids, async (batch) => (await api.post("dead-letters/redrive", { ids: batch })).redriven);

export async function redriveOne(run) {
  const done = await perform({ work: () => api.post("dead-letters/redrive", { ids: [run.id] }) });
  if (done) saidOf(run, done);
  return done;
}

/* What somebody else ran again meanwhile is not ours to take back. */
const saidOf = (run, { redriven }) =>
  redriven
    ? toast(`${run.schedule ?? run.target} runs again.`, {
        undo: () => perform({ work: () => takeBack(run.id), done: "Taken back." }),
      })
    : toast("It was run again or dismissed meanwhile.");

export async function redriveWith(run) {
  const whole = await api
    .get(api.path`runs/${run.id}`)
    .catch((failure) => void toast(failure.message, { tone: "bad" }));
  if (!whole) return undefined;
  const done = await ask({
    title: `Run ${run.schedule ?? run.target} again with another payload`,
    fields: [{ name: "payload", label: "Payload", type: "textarea", value: writeJson(whole.payload), required: true }],
    confirm: "Run again",
    submit: (values) =>
      api.post("dead-letters/redrive", { ids: [run.id], payload: readObject(values.payload ?? "", "/payload") }),
  });
  if (done) saidOf(run, done);
  return done;
}

/** Runs all of a cause again, after showing how many and whose they are. */
export async function redriveAll(group) {
  const ids = group.runs.map((run) => run.id);
  const done = await ask({
    title: `Run ${runs(ids.length)} again?`,
    says: html`They are runs of ${whose(group)}. Those of one schedule go one after the other.`,
    confirm: `Run ${ids.length} again`,
    submit: () => redriveIds(ids).then((many) => ({ many })),
  });
  const rest = ids.length - done?.many;
  if (done)
    toast(`${runs(done.many)} run again.${rest ? ` ${rest} had been run again or dismissed meanwhile.` : ""}`, {
      undo:
        !rest && ids.length <= UNDONE
          ? () =>
              perform({
                work: () => Promise.allSettled(ids.map(takeBack)),
                done: "What had not started is taken back.",
              })
          : undefined,
    });
  return done;
}

export async function redrivePaced(group) {
  const done = await ask({
    title: `Run ${runs(group.runs.length)} again, at a rate`,
    says: "One after the other, as long as this page is open. It can be stopped at any time.",
    fields: [
      {
        name: "perMinute",
        label: "How many a minute",
        type: "number",
        value: "10",
        required: true,
        hint: `1 to ${FASTEST}`,
      },
    ],
    confirm: "Begin",
    submit: ({ perMinute }) => {
      const rate = Number(perMinute);
      if (!(rate >= 1 && rate <= FASTEST))
        throw new ApiError(422, { errors: [{ pointer: "/perMinute", message: `say a number from 1 to ${FASTEST}` }] });
      return { rate };
    },
  });
  if (done)
    paced.begin({ what: group.message || group.code, ids: group.runs.map((run) => run.id), perMinute: done.rate });
  return done;
}

/** Gives some up; the reason stays with them. */
export async function dismiss(some) {
  const done = await ask({
    title:
      some.length === 1
        ? `Dismiss the dead letter of ${some[0].schedule ?? some[0].target}?`
        : `Dismiss ${runs(some.length)}?`,
    says: "They stay failed and leave this list. They can still be run again from their pages.",
    fields: [{ name: "reason", label: "Reason, shown with the run", required: true }],
    confirm: "Dismiss",
    danger: true,
    submit: (values) =>
      inBatches(
        some.map((run) => run.id),
        async (ids) => (await api.post("dead-letters/dismiss", { ids, ...values })).dismissed,
      ).then((many) => ({ many })),
  });
  if (done) toast(`${runs(done.many)} dismissed.`);
  return done;
}

export function whose(group) {
  if (!group.schedules.length) return group.target;
  const [shown, rest] = [group.schedules.slice(0, 3), group.schedules.length - 3];
  return (
    shown.map(([key, many]) => (many > 1 ? `${key} (${many})` : key)).join(", ") + (rest > 0 ? ` and ${rest} more` : "")
  );
}
