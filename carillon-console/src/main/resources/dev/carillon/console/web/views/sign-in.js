// Sign-in by token, or by the code of a link, which stands behind the # and leaves the address at once.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { href } from "../app/router.js";
import { session } from "../app/session.js";

class SignInView extends CarillonElement {
  static properties = { failure: { state: true }, busy: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    const code = location.hash.slice(1);
    if (code && location.pathname === new URL(href("sign-in")).pathname) {
      history.replaceState(null, "", location.pathname);
      this.#begin({ code });
    }
  }

  async #begin(credential) {
    this.busy = true;
    this.failure = undefined;
    try {
      await session.begin(credential);
    } catch (failure) {
      this.failure = failure;
    }
    this.busy = false;
  }

  #submit(event) {
    event.preventDefault();
    this.#begin({ token: event.target.elements.token.value.trim() });
  }

  updated() {
    if (this.failure) this.querySelector("input")?.focus();
  }

  render() {
    return html`<main class="lone sign-in">
      <h1>Sign in to Carillon</h1>
      <form class="panel" @submit=${(event) => this.#submit(event)}>
        <label for="token">Token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          maxlength="8000"
          placeholder="crl_…"
          aria-invalid=${this.failure ? "true" : nothing}
          aria-describedby=${this.failure ? "sign-in-says" : nothing}
          autofocus
        />
        ${this.failure ? html`<p class="field-error" id="sign-in-says" role="alert">${this.failure.message}</p>` : nothing}
        <button class="primary" ?disabled=${this.busy}>Sign in</button>
      </form>
      <p class="soft">
        The command <code class="mono">carillon sign-in-link</code> makes a link that signs an administrator in, once.
        The first start of a server shows one.
      </p>
    </main>`;
  }
}
customElements.define("sign-in-view", SignInView);

/** Above everything, after a session ended by itself: what was typed waits behind it, out of sight. */
class SignInAgain extends CarillonElement {
  firstUpdated() {
    this.querySelector("dialog").showModal();
  }

  render() {
    return html`<dialog
      class="again"
      aria-label="Sign in again"
      @cancel=${(event) => event.preventDefault()}
      @close=${(event) => event.target.showModal()}
    >
      <p>Your session is over. Sign in again to go on where you were; what you typed is kept.</p>
      <sign-in-view></sign-in-view>
    </dialog>`;
  }
}
customElements.define("sign-in-again", SignInAgain);

adopt(css`
  app-shell:has(.again) > .app,
  app-shell:has(.again) dialog:not(.again) {
    visibility: hidden;
  }
  .again main.lone {
    margin: 0;
    padding: 0;
  }
  .sign-in form {
    display: grid;
    gap: 10px;
    margin: 14px 0;
  }
  .sign-in button {
    justify-self: start;
  }
`);
