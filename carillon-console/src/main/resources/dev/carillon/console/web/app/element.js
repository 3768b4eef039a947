// What every component is made of: Lit in the light DOM, so that one style sheet, labels and tests reach everything.
import { LitElement } from "lit";
import { live } from "./live.js";

export { html, svg, css, nothing } from "lit";

/** Adds a style sheet to the page, once per module that calls it. */
export function adopt(sheet) {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet.styleSheet];
}

export class CarillonElement extends LitElement {
  #ends = new AbortController();
  #leaving = [];

  createRenderRoot() {
    return this;
  }

  /** Ends when the element leaves the page: give it to every request. */
  get signal() {
    return this.#ends.signal;
  }

  connectedCallback() {
    if (this.#ends.signal.aborted) this.#ends = new AbortController();
    super.connectedCallback();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#ends.abort();
    this.#leaving.splice(0).forEach((leave) => leave());
  }

  /** Listens to a store as long as the element is on the page, and whenever it changes renders again, or does `work`. */
  follow(store, work = () => this.requestUpdate()) {
    store.addEventListener("change", work);
    this.#leaving.push(() => store.removeEventListener("change", work));
  }

  /** Calls `seen` with each live event as long as the element is on the page. */
  listen(seen) {
    const hear = (event) => seen(event.detail);
    live.addEventListener("event", hear);
    this.#leaving.push(() => live.removeEventListener("event", hear));
  }

  /** Calls `work` when live events go on after a break, as long as the element is on the page: it may have missed some. */
  whenBack(work) {
    live.addEventListener("returned", work);
    this.#leaving.push(() => live.removeEventListener("returned", work));
  }

  /** The same, and also whenever live events break off or cannot go on: then `work` finds out whether the server answers. */
  aroundBreaks(work) {
    this.whenBack(work);
    live.addEventListener("broken", work);
    this.#leaving.push(() => live.removeEventListener("broken", work));
  }

  /** Calls `work` every so many milliseconds as long as the element is on the page. */
  every(milliseconds, work) {
    const timer = setInterval(work, milliseconds);
    this.#leaving.push(() => clearInterval(timer));
  }
}
