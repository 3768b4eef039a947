// What is shown until there is something to show: as many lines as are expected, not a spinner.
import { html, css, adopt } from "../app/element.js";

export const skeleton = (lines = 6) =>
  html`<div class="skeleton" role="status" aria-label="Loading">
    ${Array.from({ length: lines }, () => html`<i></i>`)}
  </div>`;

adopt(css`
  .skeleton {
    display: grid;
    gap: 14px;
    padding: 14px 10px;
  }
  .skeleton i {
    height: 14px;
    border-radius: 4px;
    background: linear-gradient(90deg, var(--wait-bg), var(--line), var(--wait-bg));
    background-size: 200% 100%;
    animation: shine 1.4s linear infinite;
  }
  .skeleton i:nth-child(3n) {
    width: 72%;
  }
  .skeleton i:nth-child(3n + 1) {
    width: 88%;
  }
  @keyframes shine {
    to {
      background-position: -200% 0;
    }
  }
`);
