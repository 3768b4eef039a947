// What happened, one step after the other: when, a mark, and a sentence.
import { html, css, adopt } from "../app/element.js";
import { clockSeconds, precisely } from "../app/time.js";
import { mark } from "./status-mark.js";

const millis = (at) => `${clockSeconds(at)}.${String(new Date(at).getUTCMilliseconds()).padStart(3, "0")}`;

/** @param steps `{ at?, tone, says }`, the oldest first; `says` is a text or a template */
export const stepList = (steps) =>
  html`<ol class="steps">
    ${steps.map(
      (step) =>
        html`<li class="step">
          <span class="faint mono"
            >${step.at ? html`<time datetime=${step.at} title=${precisely(step.at)}>${millis(step.at)}</time>` : ""}</span
          ><span class="step-mark">${mark(step.tone)}</span>
          <p>${step.says}</p>
        </li>`,
    )}
  </ol>`;

adopt(css`
  .steps {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .step {
    display: grid;
    grid-template-columns: 92px 18px minmax(0, 1fr);
    gap: 8px;
  }
  .step p {
    margin: 0 0 12px;
    overflow-wrap: anywhere;
  }
  .step > .mono {
    padding-top: 1px;
  }
  .step:not(:last-child) .mark.run {
    animation: none;
  }
  .step-mark {
    position: relative;
  }
  .step-mark .mark {
    margin: 6px 0 0 4px;
  }
  .step:not(:last-child) .step-mark::before {
    content: "";
    position: absolute;
    left: 8px;
    top: 18px;
    bottom: -4px;
    width: 1px;
    background: var(--line);
  }
`);
