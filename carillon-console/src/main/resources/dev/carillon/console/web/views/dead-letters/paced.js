// Runs dead letters again one by one at a rate, as long as the page is open, whichever view it shows.
import { api } from "../../app/api.js";

class Paced extends EventTarget {
  /** What is under way: `{ what, ids, done, refused, perMinute }`; undefined if nothing is. */
  work = undefined;
  #timer;

  constructor() {
    super();
    addEventListener("beforeunload", (event) => this.work && event.preventDefault());
  }

  begin({ what, ids, perMinute }) {
    this.stop();
    this.work = { what, ids, done: 0, refused: 0, perMinute };
    this.#next();
  }

  /** Stops; what has been run again stays so. */
  stop() {
    clearTimeout(this.#timer);
    this.work = undefined;
    this.#changed();
  }

  async #next() {
    const work = this.work;
    this.#changed();
    try {
      const answer = await api.post("dead-letters/redrive", { ids: [work.ids[work.done]] });
      if (answer.redriven === 0) work.refused++;
      work.done++;
    } catch (failure) {
      // What the server could not do now, or for nobody who is signed in, it is asked again.
      if (failure.status >= 400 && ![401, 429].includes(failure.status) && failure.status < 500) {
        work.refused++;
        work.done++;
      }
    }
    if (this.work !== work) return;
    if (work.done >= work.ids.length) {
      this.work = undefined;
      this.dispatchEvent(new CustomEvent("finished", { detail: work }));
      this.#changed();
      return;
    }
    this.#changed();
    this.#timer = setTimeout(() => this.#next(), 60_000 / work.perMinute);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export const paced = new Paced();
