// Makes, changes and deletes quiet hours; each of it can be taken back.
import { api } from "../../app/api.js";
import { ask, perform, toast } from "../../app/actions.js";
import { viewerZone } from "../../app/time.js";
import { readWindows, writeWindows } from "./day-lines.js";
import { ACTIONS } from "./freeze.js";

const words = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);
const put = (name, definition, options) => api.put(api.path`quiet-hours/${name}`, definition, options);

/** What quiet hours say, without what the server adds. */
const definitionOf = ({ name, version, reason, updatedAt, updatedBy, slots, replanned, ...definition }) => definition;

/** Asks for everything, and saves; `before` is what there is. */
export async function editQuietHours(before) {
  const saved = await ask({
    title: before ? `Change ${before.name}` : "New quiet hours",
    fields: [
      ...(before ? [] : [{ name: "name", label: "Name", required: true }]),
      {
        name: "windows",
        label: "Windows, one a line",
        type: "textarea",
        value: before ? writeWindows(before.windows) : "mon-fri 22:00-07:00",
        hint: "such as daily 22:00-07:00, or sat sun 00:00-24:00",
      },
      { name: "zone", label: "Time zone", value: before?.zone ?? viewerZone, required: true },
      {
        name: "action",
        label: "What becomes of runs then",
        type: "select",
        value: before?.action ?? "defer",
        options: Object.entries(ACTIONS),
      },
      {
        name: "for",
        label: "For",
        type: "select",
        value: before?.everything ? "everything" : "named",
        options: [
          ["named", "schedules that name them, or have a tag below"],
          ["everything", "everything"],
        ],
      },
      { name: "tags", label: "Tags", value: before?.tags?.join(", ") ?? "" },
      { name: "description", label: "What they are for", value: before?.description ?? "" },
      { name: "reason", label: "Reason, kept with the version" },
    ],
    confirm: "Save",
    submit: (values) => {
      const definition = {
        action: values.action,
        zone: values.zone,
        windows: readWindows(values.windows ?? ""),
        freezes: before?.freezes ?? [],
        tags: words(values.tags),
        everything: values.for === "everything",
        description: values.description ?? "",
      };
      return put(before?.name ?? values.name, definition, {
        query: { reason: values.reason },
        headers: before ? { "If-Match": `"${before.version}"` } : { "If-None-Match": "*" },
      });
    },
  });
  if (saved)
    toast(`${saved.name} is saved.`, {
      undo: () =>
        perform({
          work: () =>
            before ? put(saved.name, definitionOf(before)) : api.delete(api.path`quiet-hours/${saved.name}`),
          done: "Taken back.",
        }),
    });
  return saved;
}

export const deleteQuietHours = (quiet) =>
  perform({
    work: () => api.delete(api.path`quiet-hours/${quiet.name}`).then(() => true),
    done: `${quiet.name} is deleted.`,
    undo: () => put(quiet.name, definitionOf(quiet)),
  });
