// Short notes about what was done, with undo where it can be taken back.
import { CarillonElement, html, css, adopt } from "../app/element.js";
import { mark } from "./status-mark.js";

const LASTS = 10_000;
const LASTS_WITH_UNDO = 30_000;
const MOST = 4;
let list;

/** Shows a note; `undo` puts a button beside it. */
export function toast(text, { tone = "ok", undo } = {}) {
  list?.add({ text, tone, undo });
}

class ToastList extends CarillonElement {
  #notes = [];
  #held = false;

  connectedCallback() {
    super.connectedCallback();
    list = this;
  }

  add(note) {
    this.#notes = [...this.#notes.filter((other) => other.text !== note.text), note].slice(-MOST);
    this.#leaves(note);
    this.requestUpdate();
  }

  /* Notes stay as long as the pointer or the focus is on one of them. */
  #leaves(note) {
    setTimeout(() => (this.#held ? this.#leaves(note) : this.#remove(note)), note.undo ? LASTS_WITH_UNDO : LASTS);
  }

  #hold = (event) => (this.#held = event.type === "pointerenter" || event.type === "focusin");

  #remove(note) {
    if (this.#notes.length === 1) this.#held = false;
    this.#notes = this.#notes.filter((other) => other !== note);
    this.requestUpdate();
  }

  render() {
    return html`<div
      class="toasts"
      role="status"
      aria-live="polite"
      @pointerenter=${this.#hold}
      @pointerleave=${this.#hold}
      @focusin=${this.#hold}
      @focusout=${this.#hold}
    >
      ${this.#notes.map(
        (note) =>
          html`<div class="toast ${note.tone}">
            ${mark(note.tone)}<span class="grow">${note.text}</span>
            ${note.undo ? html`<button class="small" @click=${() => (this.#remove(note), note.undo())}>Undo</button>` : ""}
            <button class="small quiet" aria-label="Dismiss" @click=${() => this.#remove(note)}>✕</button>
          </div>`,
      )}
    </div>`;
  }
}
customElements.define("toast-list", ToastList);

adopt(css`
  .toasts {
    position: fixed;
    right: 16px;
    bottom: 16px;
    display: grid;
    gap: 8px;
    z-index: 20;
    width: min(420px, calc(100vw - 32px));
  }
  .toast {
    display: flex;
    gap: 10px;
    align-items: center;
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: var(--r);
    padding: 10px 12px;
    box-shadow: 0 6px 24px rgb(0 0 0 / 0.14);
    overflow-wrap: anywhere;
  }
  .toast.bad {
    border-color: var(--bad);
  }
`);
