// Text of machines, such as JSON: as it is, in a box that scrolls by itself.
import { html, css, adopt } from "../app/element.js";

export const codeBlock = (text, label) =>
  html`<pre class="code mono" tabindex="0" role="group" aria-label=${label}>${text}</pre>`;

adopt(css`
  .code {
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    background: var(--sunken);
    padding: 12px;
    border-radius: 6px;
    max-height: 420px;
    overflow: auto;
  }
`);
