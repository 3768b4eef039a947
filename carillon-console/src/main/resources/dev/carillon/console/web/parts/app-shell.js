// The frame around the views: navigation, search, live state, who is signed in.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { clockOffset, serverNow } from "../app/clock.js";
import { api } from "../app/api.js";
import { bind } from "../app/keys.js";
import { live } from "../app/live.js";
import { router, href } from "../app/router.js";
import { session } from "../app/session.js";
import { countOf, status } from "../app/status.js";
import { theme } from "../app/theme.js";
import { clockSeconds, duration, viewerZone } from "../app/time.js";
import { ifMay, offer, perform } from "../app/actions.js";
import { shownViews, views } from "../views/list.js";
import { emptyState, failureState } from "./empty-state.js";
import { skeleton } from "./skeleton-lines.js";
import { openPalette } from "./command-palette.js";
import "./ask-dialog.js";
import "./key-list.js";
import "./toast-list.js";
import "../views/sign-in.js";

const STILL_THERE = 10 * 60_000;

class AppShell extends CarillonElement {
  static properties = { failure: { state: true } };
  #view = undefined;
  #element = undefined;
  #marked = undefined;
  #signedIn = false;
  #before = undefined;
  #typed = false;

  connectedCallback() {
    super.connectedCallback();
    this.follow(router);
    this.follow(theme);
    this.follow(live);
    this.follow(session);
    this.follow(status);
    this.whenBack(() => this.failure?.passing && location.reload());
    this.every(1000, () => this.#tick());
    // Keeps the session of a page in use, and finds out when it is over.
    this.every(STILL_THERE, () => session.me && !document.hidden && this.#load());
    this.addEventListener("input", (event) => event.target.id !== "token" && (this.#typed = true));
    for (const view of views.filter((one) => one.key)) {
      bind("g " + view.key, "Go to " + view.title, () => router.open(view.path));
    }
    offer({ id: "theme", title: "Change the theme", run: () => theme.next() });
    offer({ id: "live", title: "Pause or resume live updates", run: () => this.#toggleLive() });
    offer({ id: "sign-out", title: "Sign out", run: () => this.#signOut() });
    this.#load();
  }

  async #load() {
    this.failure = undefined;
    try {
      await session.load();
    } catch (failure) {
      if (session.me === undefined) this.failure = failure;
    }
  }

  #signOut() {
    perform({ work: () => session.end(), done: "Signed out." });
  }

  #toggleLive() {
    if (live.state === "paused") live.resume();
    else live.pause();
  }

  willUpdate() {
    const signedIn = !!session.me && !session.expired;
    if (signedIn !== this.#signedIn) {
      this.#signedIn = signedIn;
      if (signedIn) this.#begun();
      else live.end();
    }
    if (!session.me) {
      this.#view = this.#element = this.#before = undefined;
      if (session.me === null) router.title("Sign in");
      return;
    }
    if (router.view === "sign-in" || router.view === "") {
      const first = shownViews(session)[0];
      if (first) queueMicrotask(() => router.open(first.path, {}, { replace: true }));
      return;
    }
    const view = views.find((one) => one.path === router.view);
    if (view !== this.#view) {
      this.#view = view;
      this.#element = undefined;
      this.#openView(view);
    } else if (this.#element) {
      this.#element.params = router.params;
    }
  }

  /* What was typed before the session ended by itself stays, for who may see as much; anything else is loaded anew. */
  #begun() {
    const [me, before] = [session.me, this.#before];
    const asMuch = !before || (session.may(before.role) && (!me.scope || same(me.scope, before.scope)));
    if (!asMuch) location.reload();
    if (!this.#typed && !this.querySelector(".ask[open]")) this.#view = this.#element = undefined;
    this.#before = me;
    live.start();
  }

  updated() {
    if (this.#marked === this.#view) return;
    this.#marked = this.#view;
    this.querySelector("nav .links [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  async #openView(view) {
    router.title(view?.title ?? "Not found");
    this.failure = undefined;
    this.#typed = false;
    if (!view || this.#refusal(view)) return;
    try {
      await view.load();
    } catch {
      this.failure = await this.#whyNotLoaded();
      return;
    }
    if (this.#view !== view) return;
    this.#element = Object.assign(document.createElement(view.tag), { params: router.params });
    this.requestUpdate();
  }

  /* Either nobody answers, or the modules of this page are gone, as the server has another version now. */
  async #whyNotLoaded() {
    try {
      await api.get("me");
      return { message: "The console was updated meanwhile; load the page again." };
    } catch (failure) {
      return Object.assign(failure, { passing: true });
    }
  }

  #refusal(view) {
    const role = view.role ?? "viewer";
    if (!session.may(role)) return `It needs the role ${role}; yours is ${session.me.role}.`;
    return view.whole && !session.reachesAll
      ? "It is about the whole cluster, and your token reaches only a part of that."
      : "";
  }

  /* Only these two change every second; they are properties, as Lit must not own the text that is written here. */
  #tick() {
    const time = this.querySelector(".clock");
    if (time) time.textContent = `${viewerZone} · ${clockSeconds(serverNow())}`;
    const state = this.querySelector(".live-state");
    if (state) state.textContent = this.#liveWords();
  }

  #liveWords() {
    const behind = live.behind;
    if (live.state === "paused") return `paused, ${duration(behind)} behind`;
    if (behind === 0) return "live";
    return behind < 1000 ? "connecting" : `${duration(behind)} behind`;
  }

  #count(view) {
    const count = countOf(view.path);
    return count ? html` <span class="n ${count.bad ? "bad" : ""}">${count.says}</span>` : nothing;
  }

  #navigation() {
    const link = (view) =>
      html`<a
        href=${href(view.path)}
        aria-current=${view === this.#view || view.path === this.#view?.within ? "page" : nothing}
        >${view.title}${this.#count(view)}</a
      >`;
    const shown = shownViews(session);
    const rest = shown.filter((view) => view.group === "system");
    return html`<nav aria-label="Views">
      <a class="brand" href=${href("")}
        ><svg
          width="22"
          height="22"
          viewBox="0 0 22 22"
          class="stroke-accent"
          stroke-width="1.6"
          stroke-linecap="round"
          aria-hidden="true"
        >
          <path d="M11 2v2M5 16c2-2 2-4 2-7a4 4 0 0 1 8 0c0 3 0 5 2 7z"></path>
          <path d="M9.5 18.5a1.6 1.6 0 0 0 3 0"></path></svg
        >Carillon</a
      >
      <div class="links">
        ${shown.filter((view) => view.group !== "system").map(link)}${rest.length ? html`<hr />` : nothing}${rest.map(link)}
      </div>
      <div class="foot">
        <span class="live ${live.state}"
          ><span class="live-dot" aria-hidden="true"></span
          ><span class="live-state" .textContent=${this.#liveWords()}></span
        ></span>
        <span class="clock" .textContent=${`${viewerZone} · ${clockSeconds(serverNow())}`}></span>
        ${clockOffset() ? html`<span class="clock-off">Your clock is ${duration(Math.abs(clockOffset()))} ${clockOffset() > 0 ? "slow" : "fast"}; what is said here is by the server's.</span>` : nothing}
        <span class="who">${session.me.name} · ${session.me.role}</span>
        ${status.value ? html`<span class="version">Carillon ${status.value.version}</span>` : nothing}
        <span class="foot-actions"
          ><button class="small quiet" @click=${() => theme.next()} title="Change the theme">
            Theme: ${theme.name}</button
          ><button class="small quiet" @click=${() => this.#signOut()}>Sign out</button></span
        >
      </div>
    </nav>`;
  }

  #content() {
    if (this.failure) return failureState(this.failure, () => location.reload());
    if (!this.#view)
      return router.view
        ? emptyState(
            "There is no such view.",
            `Nothing is at “${router.view}”.`,
            html`<a class="btn" href=${href("")}>To the first view</a>`,
          )
        : nothing;
    const refusal = this.#refusal(this.#view);
    if (refusal)
      return emptyState(
        "This view is not open to you.",
        refusal,
        html`<a class="btn" href=${href("")}>To the first view</a>`,
      );
    return this.#element ?? skeleton(8);
  }

  render() {
    const dialogs = html`<toast-list></toast-list><ask-dialog></ask-dialog><key-list></key-list
      ><command-palette></command-palette>`;
    if (session.me === undefined)
      return html`<main class="lone">
          ${this.failure ? failureState(this.failure, () => this.#load()) : skeleton(3)}
        </main>
        ${dialogs}`;
    if (!session.me) return html`<sign-in-view></sign-in-view>${dialogs}`;
    return html`<div class="app">
        ${this.#navigation()}
        <main>
          <div class="top bar">
            <button class="search" @click=${openPalette} aria-label="Find a schedule, run or action">
              <span>Find a schedule, run, action …</span><kbd>/</kbd>
            </button>
            <span class="grow"></span>
            <button
              class="pause-live"
              aria-pressed=${live.state === "paused" ? "true" : "false"}
              @click=${() => this.#toggleLive()}
            >
              ${live.state === "paused" ? "Resume live" : "Pause live"}
            </button>
            ${router.view === "editor" ? nothing : ifMay("editor", () => html`<a class="btn primary" href=${href("editor")}>New schedule</a>`)}
          </div>
          ${this.#content()}
        </main>
      </div>
      ${dialogs}${session.expired ? html`<sign-in-again></sign-in-again>` : nothing}`;
  }
}
customElements.define("app-shell", AppShell);

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

adopt(css`
  .app {
    display: grid;
    grid-template-columns: 208px minmax(0, 1fr);
    min-height: 100vh;
  }
  .app > nav {
    background: var(--sunken);
    border-right: 1px solid var(--line);
    padding: 16px 12px;
    display: flex;
    flex-direction: column;
    gap: 2px;
    position: sticky;
    top: 0;
    height: 100vh;
    overflow-y: auto;
  }
  .app > nav .links {
    display: grid;
    gap: 2px;
  }
  .app > nav a {
    padding: 7px 10px;
    border-radius: 6px;
    color: var(--soft);
    display: flex;
    gap: 6px;
    justify-content: space-between;
    align-items: baseline;
    white-space: nowrap;
  }
  .app > nav a:hover {
    color: var(--ink);
    text-decoration: none;
  }
  .app > nav a.brand {
    gap: 10px;
    justify-content: start;
    align-items: center;
    font-weight: 650;
    font-size: 15px;
    padding: 4px 8px 14px;
    letter-spacing: -0.01em;
    color: var(--ink);
  }
  .app > nav a[aria-current] {
    background: var(--panel);
    color: var(--ink);
    box-shadow: inset 0 0 0 1px var(--line);
    font-weight: 550;
  }
  .app > nav .n {
    font-size: 12px;
    color: var(--faint);
    font-weight: 400;
    white-space: nowrap;
  }
  .app > nav .n.bad {
    color: var(--bad);
    font-weight: 600;
  }
  .app > nav hr {
    border: 0;
    border-top: 1px solid var(--line);
    width: 100%;
    margin: 10px 0;
  }
  .app > nav .foot {
    margin-top: auto;
    font-size: 12px;
    color: var(--faint);
    padding: 12px 10px 0;
    display: grid;
    gap: 6px;
    overflow-wrap: anywhere;
  }
  .foot-actions {
    display: flex;
    justify-content: space-between;
    margin: 0 -8px;
  }
  .foot-actions button {
    font-size: 12px;
  }
  .live {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  .live-dot {
    width: 7px;
    height: 7px;
    border-radius: 50%;
    background: transparent;
    box-shadow: inset 0 0 0 1.5px var(--skip);
  }
  .live.live .live-dot {
    background: var(--ok);
    box-shadow: none;
  }
  .app main {
    padding: 20px 28px 60px;
    max-width: 1320px;
    width: 100%;
  }
  main.lone {
    max-width: 480px;
    margin: 20vh auto 0;
    padding: 0 16px;
  }
  .search span {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .search {
    min-width: 320px;
    gap: 8px;
    color: var(--faint);
    display: flex;
    justify-content: space-between;
    align-items: center;
    border-radius: var(--r);
  }
  @media (max-width: 760px) {
    .app {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto 1fr;
    }
    .app > nav {
      position: static;
      height: auto;
      flex-flow: row wrap;
      align-items: center;
      padding: 8px;
      border-right: 0;
      overflow: visible;
      border-bottom: 1px solid var(--line);
    }
    .app > nav a.brand {
      padding: 4px 8px;
    }
    .app > nav hr {
      display: none;
    }
    .app > nav .links {
      display: flex;
      overflow-x: auto;
      width: 100%;
      order: 3;
    }
    .app > nav .foot {
      margin: 0 0 0 auto;
      padding: 0;
      display: flex;
      gap: 12px;
      align-items: center;
    }
    .app > nav :is(.clock, .clock-off, .who, .version) {
      display: none;
    }
    .foot-actions {
      margin: 0;
    }
    .app main {
      padding: 14px 12px 60px;
    }
    .search {
      min-width: 0;
      flex: 1;
    }
  }
`);
