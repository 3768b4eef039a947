// How far something is: a bar if the text says it as a share, the text in any case.
import { html, css, adopt, nothing } from "../app/element.js";

/** Returns the share that a text such as "40 %", "3/10", "3 of 10" or "0.4" says, from 0 to 1; undefined if it says none. */
export function shareOf(text) {
  const percent = /(\d+(?:\.\d+)?)\s*%/.exec(text);
  if (percent) return within(percent[1] / 100);
  const part = /(\d+)\s*(?:\/|of)\s*(\d+)/.exec(text);
  if (part && Number(part[2]) > 0) return within(part[1] / part[2]);
  return /^\s*(?:0?\.\d+|[01](?:\.0+)?)\s*$/.test(text) ? within(Number(text)) : undefined;
}

const within = (share) => Math.min(1, Math.max(0, share));

export function progressBar(text) {
  const share = shareOf(text);
  return html`<div class="progress">
    ${share === undefined ? nothing : html`<svg class="progress-track" height="8" role="progressbar" aria-label="Progress" aria-valuenow=${Math.round(share * 100)} aria-valuemin="0" aria-valuemax="100"><rect width="${share * 100}%" height="8" class="fill-run"></rect></svg>`}<span
      >${text}</span
    >
  </div>`;
}

adopt(css`
  .progress {
    display: flex;
    gap: 12px;
    align-items: center;
    overflow-wrap: anywhere;
  }
  .progress-track {
    flex: 1;
    max-width: 320px;
    border-radius: 4px;
    background: var(--run-bg);
    overflow: hidden;
  }
  .progress-track rect {
    transition: width 0.3s;
  }
`);
