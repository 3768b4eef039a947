// What somebody may do. An action is offered only to those whose role suffices; it ends with a toast, with undo where
// that is possible, and asks for what it needs in a dialog that shows the server's errors at their fields.
import { session } from "./session.js";
import { ask } from "../parts/ask-dialog.js";
import { toast } from "../parts/toast-list.js";
import { isAbort } from "./api.js";

export { ask, toast };

const offered = new Map();

/** Renders `what` only for those who have `role`. */
export const ifMay = (role, what) => (session.may(role) ? what() : "");

/**
 * Does `work` at once and says how it went; resolves with its answer, true if it has none, undefined if it failed.
 *
 * @param done the sentence of the toast, or a function of the answer that makes it; without one, only failures are said
 * @param undo takes it back; offered in the toast for half a minute
 */
export async function perform({ work, done, undo }) {
  try {
    const answer = await work();
    if (done)
      toast(typeof done === "function" ? done(answer) : done, {
        undo: undo && (() => perform({ work: () => undo(answer), done: "Taken back." })),
      });
    return answer ?? true;
  } catch (failure) {
    if (!isAbort(failure)) toast(failure.message, { tone: "bad" });
    return undefined;
  }
}

/** Offers an action in the command palette as long as it is not withdrawn: `{ id, title, role, run }`. */
export function offer(action) {
  offered.set(action.id, action);
  return () => offered.delete(action.id);
}

/** Returns the actions that the palette may show to whoever is signed in. */
export const offeredActions = () => [...offered.values()].filter((action) => session.may(action.role ?? "viewer"));
