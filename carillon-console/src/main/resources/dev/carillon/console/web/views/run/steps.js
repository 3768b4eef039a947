// The story of a run, from when it was due to how it ended, as steps in words.
import { html, nothing } from "../../app/element.js";
import { serverNow } from "../../app/clock.js";
import { href } from "../../app/router.js";
import { duration } from "../../app/time.js";
import { stateOf } from "../../app/words.js";
import { timeText } from "../../parts/time-text.js";

/**
 * @param run as the API tells it, with its attempts
 * @param nodeName how a node is called
 * @param escalations runs that were made because this one missed its deadline
 */
export function runSteps(run, { nodeName, escalations = [] }) {
  return [
    ...before(run),
    ...run.attempts.flatMap((attempt) => attemptSteps(run, attempt, nodeName)),
    ...now(run),
    ...end(run),
    ...escalations.map(escalation),
  ];
}

function before(run) {
  const moved = new Date(run.dueAt) - new Date(run.slot);
  const due = { at: run.dueAt, tone: "wait", says: "Due." };
  if (Math.abs(moved) < 1) return [due];
  return [
    { at: run.slot, tone: "wait", says: run.trigger === "ad_hoc" ? "Asked for." : "The slot that the timing names." },
    { ...due, says: html`Due, ${duration(Math.abs(moved))} ${moved > 0 ? "later" : "earlier"} than its slot.` },
  ];
}

function attemptSteps(run, attempt, nodeName) {
  const first = attempt.number === 1;
  const wait = new Date(attempt.startedAt) - new Date(run.dueAt);
  const late = first && wait > 0 ? `, ${duration(wait)} late` : "";
  const steps = [
    {
      at: attempt.startedAt,
      tone: "run",
      says: html`${first ? "Started" : `Attempt ${attempt.number} started`}${attempt.node ? html` on <b>${nodeName(attempt.node)}</b>` : nothing}${late}.
        <span class="soft">Sent to ${run.target}.</span>`,
    },
  ];
  if (attempt.failure)
    steps.push({
      at: attempt.finishedAt,
      tone: "bad",
      says: html`Attempt ${attempt.number} failed:
        <b>${attempt.failure.code}</b>${attempt.failure.message ? html`, ${brief(attempt.failure.message)}` : nothing}.
        ${attempt.nextAt ? html`<span class="soft">Again ${after(attempt)}.</span>` : nothing}`,
    });
  return steps;
}

/* Whole with the run; ten attempts may have failed at length. */
const brief = (message) =>
  message.length <= 300 ? message : html`<span title=${message}>${message.slice(0, 300)}…</span>`;

const after = (attempt) => `after ${duration(Math.max(0, new Date(attempt.nextAt) - new Date(attempt.finishedAt)))}`;

function now(run) {
  if (run.state === "running")
    return [
      {
        tone: "run",
        says: html`At
        work${run.externalId ? html`, elsewhere as <span class="mono">${run.externalId}</span>` : nothing}.`,
      },
    ];
  if (run.state === "pending" && run.nextAttemptAt)
    return [{ at: run.nextAttemptAt, tone: "wait", says: "The next attempt." }];
  if (run.state === "pending")
    return [
      {
        tone: "wait",
        says:
          new Date(run.dueAt) > serverNow()
            ? "Waits until it is due."
            : "Waits for its turn, or for somebody who does it.",
      },
    ];
  return [];
}

function end(run) {
  const steps = [];
  if (run.state === "succeeded")
    steps.push({
      at: run.finishedAt,
      tone: "ok",
      says: `Succeeded${run.durationMs === null ? "" : ` after ${duration(run.durationMs)}`}.`,
    });
  if (run.state === "failed")
    steps.push({
      at: run.finishedAt,
      tone: "bad",
      says: run.dismissed
        ? "Given up."
        : html`Given up: a
            <a
              class="link"
              href=${href("dead-letters", run.schedule ? { schedule: run.schedule } : { target: run.target })}
              >dead letter</a
            >.`,
    });
  if (run.state === "canceled" || run.state === "skipped")
    steps.push({
      at: run.finishedAt,
      tone: "skip",
      says: html`${stateOf(run.state).word === "canceled" ? "Canceled" : "Skipped"}${run.reason ? html`: ${run.reason}` : nothing}.`,
    });
  if (run.dismissed)
    steps.push({
      at: run.dismissed.at,
      tone: "skip",
      says: html`Dismissed by <b>${run.dismissed.by}</b>: ${run.dismissed.reason}.`,
    });
  return steps;
}

const escalation = (other) => ({
  at: other.slot,
  tone: "skip",
  says: html`The deadline passed: <a class="link" href=${href("run", { id: other.id })}>${other.target}</a> was run,
    ${timeText(other.dueAt)}.`,
});
