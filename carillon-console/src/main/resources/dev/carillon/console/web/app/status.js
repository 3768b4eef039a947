// How the cluster stands: what is wrong, and the counts beside the views of the navigation. Only for those who reach all of it.
import { api } from "./api.js";
import { live, atMostEvery } from "./live.js";
import { session } from "./session.js";
import { number } from "./words.js";

const POLL = 30_000;
const AFTER_EVENT = 5_000;

class Status extends EventTarget {
  /** As GET /status answers; undefined while it is unknown. */
  value = undefined;

  constructor() {
    super();
    const soon = atMostEvery(AFTER_EVENT, () => this.load());
    live.addEventListener("event", soon);
    document.addEventListener("visibilitychange", () => this.load());
    session.addEventListener("change", () => (session.me ? this.value || this.load() : this.#set(undefined)));
    setInterval(() => this.load(), POLL);
  }

  async load() {
    if (document.hidden || live.state === "paused" || !session.reachesAll) return;
    try {
      this.#set(await api.get("status"));
    } catch {
      // The counts are of no use if they are old; what is wrong is told by the view that is open.
      this.#set(undefined);
    }
  }

  #set(value) {
    this.value = value;
    this.dispatchEvent(new Event("change"));
  }
}

export const status = new Status();

const COUNTS = {
  schedules: ({ schedules }) => schedules && { says: number(schedules.active + schedules.paused) },
  runs: ({ numbers }) => numbers?.running && { says: `${number(numbers.running)} running` },
  "dead-letters": ({ deadLetters }) =>
    deadLetters && { says: deadLetters >= 10_000 ? "10,000+" : number(deadLetters), bad: true },
  nodes: ({ numbers }) => numbers && { says: number(numbers.nodes), bad: numbers.nodes === 0 },
};

/** Returns what stands beside the view at `path`: `{ says, bad? }`, or nothing. */
export const countOf = (path) => (status.value && COUNTS[path]?.(status.value)) || undefined;
