// Nothing to show, said so that one knows what to do next; and failures, said the same way.
import { html, css, adopt } from "../app/element.js";

/** @param next what to do: a template with links or buttons */
export const emptyState = (title, says, next = "") =>
  html`<div class="empty">
    <b>${title}</b>
    <p class="soft">${says}</p>
    ${next}
  </div>`;

/** A failure of the whole view, with a way to try again. */
export const failureState = (failure, again) =>
  html`<div class="empty" role="alert">
    <b>This could not be loaded.</b>
    <p class="soft">${failure.message}</p>
    ${again ? html`<button @click=${again}>Try again</button>` : ""}
  </div>`;

/** Why what is seen is not the latest; it stays until there is an answer again. */
export const staleNote = (failure) =>
  failure ? html`<p class="stale" role="alert">${failure.message} What you see is from before.</p>` : "";

/** `content` with a note if it is not the latest, or why there is none. */
export const orFailure = (failure, has, again, content) =>
  failure && !has
    ? html`<div class="panel">${failureState(failure, again)}</div>`
    : html`${staleNote(failure)}${content}`;

adopt(css`
  .stale {
    background: var(--skip-bg);
    border-radius: 6px;
    padding: 8px 12px;
    margin: 0 0 12px;
    overflow-wrap: anywhere;
  }
  .empty {
    padding: 40px 20px;
    text-align: center;
  }
  .empty b {
    display: block;
    margin-bottom: 4px;
  }
  .empty p {
    max-width: 56ch;
    margin: 0 auto 14px;
  }
`);
