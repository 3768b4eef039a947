// Which view is open, and its state: both are the address, so that links, titles and the back button work.
import { href, viewOf } from "./address.js";

class Router extends EventTarget {
  view = "";
  params = {};

  constructor() {
    super();
    this.#read();
    addEventListener("popstate", () => this.#changed());
    addEventListener("click", (event) => this.#follow(event));
  }

  /** Opens a view; with `replace` the back button skips the present one. */
  open(view, params = {}, { replace = false } = {}) {
    this.#push(href(view, params), replace);
  }

  /** Changes some of the state of the view; what is undefined or empty is left out of the address. */
  set(changes, options) {
    this.open(this.view, { ...this.params, ...changes }, options);
  }

  title(text) {
    document.title = text ? `${text} · Carillon` : "Carillon";
  }

  #push(url, replace) {
    if (url !== location.href) history[replace ? "replaceState" : "pushState"](null, "", url);
    this.#changed();
  }

  #changed() {
    this.#read();
    this.dispatchEvent(new Event("change"));
  }

  #read() {
    const url = new URL(location.href);
    this.view = viewOf(url) ?? "";
    this.params = Object.fromEntries(url.searchParams);
  }

  #follow(event) {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target.closest?.("a[href]");
    if (!link || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (viewOf(url) === undefined || url.hash) return;
    event.preventDefault();
    this.#push(url.href, false);
    scrollTo(0, 0);
  }
}

export const router = new Router();
export { href };
