// Why a schedule did, did not, will or will not run at an instant: words first, then the instants around it.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { href, router } from "../app/router.js";
import { day as dayOf, isoDay, moment, relative, viewerZone } from "../app/time.js";
import "./answer-box.js";
import { failureState } from "./empty-state.js";
import { skeleton } from "./skeleton-lines.js";

const QUESTIONS = {
  succeeded: "Why did it run",
  failed: "Why did it fail",
  canceled: "Why was it canceled",
  skipped: "Why was it skipped",
  dropped: "Why did it not run",
  running: "Why does it run",
  pending: "Why does it wait",
  will_run: "Will it run",
  will_not_run: "Why will it not run",
  not_due: "What was due",
  unknown: "What was",
};

/* 2026-11-17 as Tue 17 Nov, with the year if it is not this one. */
const dayWords = (text) =>
  `${dayOf(text + "T12:00:00Z", "UTC")}${text.startsWith(isoDay(Date.now()).slice(0, 4)) ? "" : " " + text.slice(0, 4)}`;

/** `key` of the schedule, `at` an instant, `zone` in which it is said */
class WhyBox extends CarillonElement {
  static properties = { key: {}, at: {}, zone: {}, answer: { state: true }, failure: { state: true } };

  willUpdate(changed) {
    if (changed.has("key") || changed.has("at")) this.#load();
  }

  async #load() {
    const { key, at } = this;
    this.failure = undefined;
    if (!at) return;
    try {
      const answer = await api.get(api.path`schedules/${key}/explain`, { query: { at }, signal: this.signal });
      if (key === this.key && at === this.at) this.answer = answer;
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  #pick(event) {
    event.preventDefault();
    const value = event.target.elements.at.value;
    if (value) router.set({ at: new Date(value).toISOString() });
  }

  #near(word, fire) {
    return fire
      ? html`<a class="link nowrap" href=${href(router.view, { ...router.params, at: fire.slot })}
          >${word} ${moment(fire.slot, { zone: this.zone })}</a
        >`
      : nothing;
  }

  #words(text) {
    // The instant in UTC stands behind the local one for logs; here it only lengthens the line.
    const asked = isoDay(this.answer.slot ?? this.answer.at, this.zone);
    return text
      .replace(/ \(\d{4}-\d\d-\d\dT[\d:.]+Z\)/g, "")
      .replaceAll(` in ${this.zone}`, "")
      .replace(/(Attempt \d+) of run [0-9a-f-]{36}/g, "$1")
      .replace(/[Rr]un [0-9a-f-]{36}/g, (run) => `${run.startsWith("R") ? "The" : "the"} run`)
      .replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d)((?::\d\d)?(?:\.\d+)?)/g, (all, day, minute, rest) =>
        day === asked && rest ? minute + rest : `${dayWords(day)} ${minute}`,
      );
  }

  #body() {
    if (this.failure) return failureState(this.failure, () => this.#load());
    if (!this.at) return html`<p class="soft">Pick an instant, a square or a fire.</p>`;
    if (!this.answer) return skeleton(3);
    const { answer } = this;
    return html`<h2>
        ${QUESTIONS[answer.outcome] ?? "Why"} at
        <time class="mono" datetime=${answer.slot ?? answer.at} title=${answer.slot ?? answer.at}
          >${moment(answer.slot ?? answer.at, { zone: this.zone })}</time
        >${this.zone === viewerZone ? "" : ` ${this.zone}`}?
        <span class="faint">${relative(answer.slot ?? answer.at)}</span>
      </h2>
      <ol>
        ${answer.steps.map((step) => html`<li>${this.#words(step.because)}</li>`)}
      </ol>
      <p class="why-near">
        ${this.#near("←", answer.previous)}
        ${answer.run ? html`<a class="link" href=${href("run", { id: answer.run.id })}>The run</a>` : nothing}
        ${this.#near("→", answer.next)}
      </p>`;
  }

  render() {
    return html`<section class="why" aria-label="Why" aria-live="polite">
      ${this.#body()}
      <form class="why-pick" @submit=${(event) => this.#pick(event)}>
        <label for="why-at">Ask about (your time)</label
        ><span><input id="why-at" name="at" type="datetime-local" required /><button class="small">Why?</button></span>
      </form>
    </section>`;
  }
}
customElements.define("why-box", WhyBox);

adopt(css`
  why-box .why {
    height: 100%;
    display: flex;
    flex-direction: column;
  }
  why-box .why ol {
    flex: 1;
  }
  .why-near {
    display: flex;
    gap: 4px 14px;
    flex-wrap: wrap;
  }
  .why-pick {
    border-top: 1px solid color-mix(in srgb, var(--accent) 25%, transparent);
    padding-top: 10px;
    display: grid;
    gap: 4px;
  }
  .why-pick span {
    display: flex;
    gap: 8px;
  }
  .why-pick input {
    background: var(--panel) !important;
  }
`);
