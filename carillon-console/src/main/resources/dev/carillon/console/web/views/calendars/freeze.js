// Freezes schedules now, all or those with some tags, and thaws them. Both can be taken back.
import { ApiError, api } from "../../app/api.js";
import { serverNow } from "../../app/clock.js";
import { ask, perform, toast } from "../../app/actions.js";
import { oftenUntil } from "../../app/time.js";

const OF_TAG = "freeze:";

export const ACTIONS = {
  skip: "runs are left out",
  defer: "runs wait until it is over, each of them",
  coalesce: "runs wait until it is over and are one",
};

/** Tells whether quiet hours are kept for freezes. */
export const isFreeze = (quiet) => quiet.name === "freeze" || quiet.name.startsWith(OF_TAG);

/** The freezes that last, or are still to come: `{ tags, from, until, reason, action }`. */
export const freezesOf = (all, now = serverNow()) =>
  all
    .filter(isFreeze)
    .flatMap((quiet) =>
      quiet.freezes
        .filter((freeze) => new Date(freeze.until) > now)
        .map((freeze) => ({
          ...freeze,
          tags: quiet.name === "freeze" ? [] : [quiet.name.slice(OF_TAG.length)],
          action: quiet.action,
        })),
    );

const words = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

/** Asks until when and why, and freezes. */
export async function freezeNow() {
  const frozen = await ask({
    title: "Freeze",
    says: "Nothing starts until then; what is at work goes on.",
    fields: [
      { name: "until", label: "Until", type: "datetime-local", required: true, often: oftenUntil() },
      { name: "reason", label: "Reason, shown wherever a run is missing", required: true },
      { name: "tags", label: "Only schedules with one of these tags", hint: "empty: everything" },
      {
        name: "action",
        label: "What becomes of the runs",
        type: "select",
        value: "coalesce",
        options: Object.entries(ACTIONS),
      },
    ],
    confirm: "Freeze",
    danger: true,
    submit: ({ until, reason, tags, action }) => {
      if (Number.isNaN(Date.parse(until)))
        throw new ApiError(422, { errors: [{ pointer: "/until", message: "say until when" }] });
      const body = {
        until: new Date(until).toISOString(),
        reason,
        action,
        ...(words(tags).length ? { tags: words(tags) } : {}),
      };
      return api.post("freeze", body).then(() => body);
    },
  });
  if (frozen)
    toast(frozen.tags ? `Schedules with ${frozen.tags.join(", ")} are frozen.` : "Everything is frozen.", {
      undo: () => perform({ work: () => thaw(frozen.tags ?? []), done: "Taken back." }),
    });
  return frozen;
}

const thaw = (tags) => api.post("thaw", tags.length ? { tags } : {});

/** Ends a freeze at once. */
export const thawNow = (freeze) =>
  perform({
    work: () => thaw(freeze.tags),
    done: freeze.tags.length ? `Schedules with ${freeze.tags.join(", ")} run again.` : "Everything runs again.",
    undo: () =>
      api.post("freeze", {
        ...(new Date(freeze.from) > serverNow() ? { from: freeze.from } : {}),
        until: freeze.until,
        reason: freeze.reason,
        action: freeze.action,
        ...(freeze.tags.length ? { tags: freeze.tags } : {}),
      }),
  });
