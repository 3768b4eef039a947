// What can be done with a run: run it again, as it was or with another payload, and cancel it.
import { api } from "../../app/api.js";
import { ask, perform, toast } from "../../app/actions.js";
import { readObject, writeJson } from "../../app/json.js";
import { apiUrl } from "../../app/address.js";
import { shellQuoted } from "../../parts/copy-text.js";

const AGAIN = ["failed", "canceled", "skipped"];

export const mayRunAgain = (run) => AGAIN.includes(run.state);
export const mayCancel = (run) => !run.finishedAt;

const called = (run) => run.schedule ?? run.target;
const takeBack = (id) => api.post(api.path`runs/${id}/cancel`, { reason: "taken back in the console" });

export const runAgain = (run) =>
  perform({
    work: () => api.post(api.path`runs/${run.id}/retry`),
    done: `${called(run)} runs again.`,
    undo: (again) => takeBack(again.id),
  });

export async function runAgainWith(run) {
  const again = await ask({
    title: `Run ${called(run)} again with another payload`,
    says: "This very run is tried again, under its idempotency key.",
    fields: [{ name: "payload", label: "Payload", type: "textarea", value: writeJson(run.payload), required: true }],
    confirm: "Run again",
    submit: (values) =>
      api.post(api.path`runs/${run.id}/retry`, { payload: readObject(values.payload ?? "", "/payload") }),
  });
  if (again)
    toast(`${called(run)} runs again.`, {
      undo: () => perform({ work: () => takeBack(again.id), done: "Taken back." }),
    });
  return again;
}

export async function cancelRun(run) {
  const done = await ask({
    title: `Cancel ${called(run)}?`,
    says:
      run.state === "running"
        ? "It is asked to stop; what it has done so far stays done."
        : "It has not started, and will not.",
    fields: [{ name: "reason", label: "Reason, for the audit", required: true }],
    confirm: "Cancel the run",
    danger: true,
    submit: (values) => api.post(api.path`runs/${run.id}/cancel`, values),
  });
  if (done) toast(done.state === "running" ? "It is asked to stop." : "Canceled.");
  return done;
}

/** The command that does the same once more, as a new run. */
export function asCurl(run) {
  const [path, body] = run.schedule
    ? [api.path`schedules/${run.schedule}/run`, { payload: run.payload }]
    : ["runs", { target: run.target, payload: run.payload }];
  return [
    "curl -X POST",
    shellQuoted(apiUrl(path).href),
    '-H "Authorization: Bearer $CARILLON_TOKEN"',
    "-H 'Content-Type: application/json'",
    "-d " + shellQuoted(JSON.stringify(body)),
  ].join(" \\\n  ");
}
