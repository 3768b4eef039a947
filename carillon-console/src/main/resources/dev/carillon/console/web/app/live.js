// What changes in the cluster, as it happens: one stream for all views, which goes on where it was after a break.
import { consoleHeader } from "./activity.js";
import { apiUrl } from "./address.js";
import { refusals } from "./api.js";

const HEARTBEAT = 12_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

class Live extends EventTarget {
  /** "off", "connecting", "live" or "paused" */
  state = "off";
  #last = "";
  #heard = 0;
  #stream = undefined;
  #wait = FIRST_WAIT;
  #timer = undefined;
  #wanted = false;
  #broken = false;

  constructor() {
    super();
    // A hidden tab needs no stream, and browsers allow few connections.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#stop() : this.#start()));
  }

  /** Begins to listen; called once somebody is signed in. */
  start() {
    this.#wanted = true;
    this.#heard = Date.now();
    this.#start();
  }

  /** Stops, and forgets where it was. */
  end() {
    this.#wanted = false;
    this.#stop();
    this.#last = "";
    this.#broken = false;
    this.#become("off");
  }

  pause() {
    this.#become("paused");
    this.#stop();
  }

  resume() {
    if (this.state !== "paused") return;
    this.state = "connecting";
    this.#start();
  }

  /** How many milliseconds ago the view was surely up to date; 0 while the stream is alive. */
  get behind() {
    const silent = Date.now() - this.#heard;
    return this.state === "live" && silent < HEARTBEAT ? 0 : silent;
  }

  #start() {
    if (!this.#wanted || this.state === "paused" || this.#stream) return;
    clearTimeout(this.#timer);
    this.#become("connecting");
    this.#stream = new AbortController();
    this.#read(this.#stream);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#stream?.abort();
    this.#stream = undefined;
  }

  async #read(stream) {
    try {
      const headers = { Accept: "text/event-stream", ...consoleHeader() };
      if (this.#last) headers["Last-Event-ID"] = this.#last;
      const answer = await fetch(apiUrl("events"), { headers, signal: stream.signal, credentials: "same-origin" });
      if (answer.status === 401) refusals.dispatchEvent(new Event("signed-out"));
      if (answer.status === 422 || answer.status === 400) this.#last = "";
      if (!answer.ok) throw new Error(String(answer.status));
      this.#wait = FIRST_WAIT;
      this.#hear();
      this.#become("live");
      if (this.#broken) this.dispatchEvent(new Event("returned"));
      this.#broken = false;
      await this.#parse(answer.body.pipeThrough(new TextDecoderStream()).getReader());
    } catch {
      // Whatever ended it: the next stream goes on behind the last event.
    }
    if (stream.signal.aborted) return;
    this.#stream = undefined;
    this.#broken = true;
    if (this.state !== "paused" && this.#wanted) {
      this.#become("connecting");
      this.dispatchEvent(new Event("broken"));
      this.#timer = setTimeout(() => this.#start(), this.#wait);
      this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    }
  }

  async #parse(reader) {
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.#hear();
      text += value;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        this.#tell(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  }

  #tell(block) {
    let type = "";
    let data = "";
    for (const line of block.split("\n")) {
      if (line.startsWith("id: ")) this.#last = line.slice(4);
      else if (line.startsWith("event: ")) type = line.slice(7);
      else if (line.startsWith("data: ")) data += line.slice(6);
    }
    if (type && data) this.dispatchEvent(new CustomEvent("event", { detail: { type, data: JSON.parse(data) } }));
  }

  #hear() {
    this.#heard = Date.now();
  }

  #become(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}

export const live = new Live();

/** Returns a function that calls `work` at most once per `milliseconds`, and once more after the last call. */
export function atMostEvery(milliseconds, work) {
  let timer;
  let last = 0;
  return () => {
    if (timer) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        last = Date.now();
        work();
      },
      Math.max(0, last + milliseconds - Date.now()),
    );
  };
}
