// A state by colour and by shape: full, crossed, ringed, halved. With a word beside it, or as a chip.
import { html, css, adopt } from "../app/element.js";

/** tone: ok, bad, run, wait or skip. */
export const mark = (tone) => html`<span class="mark ${tone}" aria-hidden="true"></span>`;

/** A mark with its word. */
export const status = (tone, word) => html`<span class="status nowrap">${mark(tone)}${word}</span>`;

/** A word on a ground of its tone. */
export const chip = (tone, word) => html`<span class="chip ${tone}">${word}</span>`;

adopt(css`
  .mark {
    width: 9px;
    height: 9px;
    border-radius: 50%;
    display: inline-block;
    flex: none;
    background: var(--ok);
  }
  .mark.bad {
    background: var(--bad);
    border-radius: 1px;
    transform: rotate(45deg) scale(0.9);
  }
  .mark.run {
    background: radial-gradient(circle, var(--panel) 0 1.5px, var(--run) 2px);
    animation: breathe 2s ease-in-out infinite;
  }
  .mark.wait {
    background: transparent;
    box-shadow: inset 0 0 0 2px var(--wait);
  }
  .mark.skip {
    background: linear-gradient(135deg, var(--skip) 50%, transparent 50%);
    box-shadow: inset 0 0 0 1.5px var(--skip);
  }
  .status {
    display: inline-flex;
    gap: 8px;
    align-items: center;
  }
  .chip {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    padding: 1px 8px;
    border-radius: 99px;
    font-size: 12px;
    font-weight: 500;
    background: var(--ok-bg);
    color: var(--ok);
    white-space: nowrap;
  }
  .chip.bad {
    background: var(--bad-bg);
    color: var(--bad);
  }
  .chip.run {
    background: var(--run-bg);
    color: var(--run);
  }
  .chip.wait {
    background: var(--wait-bg);
    color: var(--soft);
  }
  .chip.skip {
    background: var(--skip-bg);
    color: var(--skip);
  }
  @keyframes breathe {
    50% {
      opacity: 0.55;
    }
  }
`);
