// Who is signed in, and what they may do.
import { api, refusals } from "./api.js";

const ROLES = ["viewer", "operator", "editor", "admin"];

/** Other tabs share the cookie: what one does, all find out. */
const tabs = new BroadcastChannel("carillon-session");

class Session extends EventTarget {
  /** undefined: not known yet; null: nobody. */
  me = undefined;
  /** Whether the session ended by itself: `me` is who may go on after another sign-in. */
  expired = false;

  constructor() {
    super();
    tabs.addEventListener("message", ({ data }) => (data === "ended" ? this.#leave() : this.load().catch(() => {})));
  }

  async load() {
    try {
      this.#set(await api.get("me"));
    } catch (failure) {
      if (failure.status !== 401) throw failure;
      if (!this.expired) this.#set(null);
    }
  }

  /** Signs in by `{ token }` or by `{ code }` of a sign-in link. */
  async begin(credential) {
    await api.post("session", credential);
    await this.load();
    tabs.postMessage("begun");
  }

  async end() {
    try {
      await api.delete("session");
    } catch (failure) {
      if (failure.status !== 401) throw failure;
    }
    this.#leave();
    tabs.postMessage("ended");
  }

  /* What was typed and not saved is not left to whoever comes next. */
  #leave() {
    this.#set(null);
    sessionStorage.clear();
  }

  lost() {
    if (!this.me || this.expired) return;
    this.expired = true;
    this.dispatchEvent(new Event("change"));
  }

  /** Tells whether a button that needs `role` would work. */
  may(role) {
    return !!this.me && ROLES.indexOf(this.me.role) >= ROLES.indexOf(role);
  }

  /** Tells whether the whole cluster is reached, not only some schedules. */
  get reachesAll() {
    return !!this.me && this.me.scope === null;
  }

  #set(me) {
    this.me = me;
    this.expired = false;
    this.dispatchEvent(new Event("change"));
  }
}

export const session = new Session();
refusals.addEventListener("signed-out", () => session.lost());
