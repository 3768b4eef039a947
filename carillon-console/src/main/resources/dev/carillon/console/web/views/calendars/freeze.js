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

/** What is frozen, or will be: `{ tags, action, freezes: [{ from, until, reason }] }`; those with the same tags thaw together. */
export const frozenOf = (all, now = serverNow()) =>
  all
    .filter(isFreeze)
    .map((quiet) => ({
      tags: quiet.name === "freeze" ? [] : [quiet.name.slice(OF_TAG.length)],
      action: quiet.action,
      freezes: quiet.freezes.filter((freeze) => new Date(freeze.until) > now),
    }))
    .filter((frozen) => frozen.freezes.length);

const words = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

/** Asks until when and why, and freezes; that can be taken back if none of it is `known` to be frozen anyway. */
export async function freezeNow(known, changed) {
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
  if (!frozen) return undefined;
  const tags = frozen.tags ?? [];
  const anyway = known.some((one) => (tags.length ? tags.includes(one.tags[0]) : !one.tags.length));
  toast(tags.length ? `Schedules with ${tags.join(", ")} are frozen.` : "Everything is frozen.", {
    undo: anyway ? undefined : () => perform({ work: () => thaw(tags).then(changed), done: "Taken back." }),
  });
  return frozen;
}

const withTags = (tags) => (tags.length ? { tags } : {});
const thaw = (tags) => api.post("thaw", withTags(tags));

/** Ends what is frozen at once. */
export const thawNow = ({ tags, action, freezes }, changed) =>
  perform({
    work: () => thaw(tags),
    done: tags.length ? `Schedules with ${tags.join(", ")} run again.` : "Everything runs again.",
    undo: async () => {
      for (const { from, until, reason } of freezes) {
        const later = new Date(from) > serverNow() ? { from } : {};
        await api.post("freeze", { ...later, until, reason, action, ...withTags(tags) });
      }
      changed();
    },
  });
