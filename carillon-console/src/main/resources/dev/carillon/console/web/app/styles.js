// The look of everything: tokens for both themes, then the few classes that views share. Anything else is in its module.
import { css, adopt } from "./element.js";

adopt(css`
  :root {
    color-scheme: light dark;
    --bg: light-dark(#faf9f7, #141416);
    --panel: light-dark(#ffffff, #1b1b1f);
    --sunken: light-dark(#f3f1ed, #101012);
    --line: light-dark(#e5e1da, #2c2c32);
    --ink: light-dark(#1d1b18, #ecebe8);
    --soft: light-dark(#615c54, #a8a59f);
    --faint: light-dark(#6f6960, #96938d);
    --accent: light-dark(#84550f, #e0a94f);
    --accent-bg: light-dark(#f6ecd9, #33291a);
    --on-accent: light-dark(#fff, #1b1b1f);
    --focus: light-dark(#b9791b, #f0bd66);
    --ok: light-dark(#256b42, #5fbf86);
    --ok-bg: light-dark(#e4f2e9, #17301f);
    --bad: light-dark(#b3261e, #f2827a);
    --bad-bg: light-dark(#fbe9e7, #3b1c1a);
    --wait: light-dark(#77756f, #8d8c88);
    --wait-bg: light-dark(#efeeeb, #26262a);
    --run: light-dark(#2563a8, #78b0f0);
    --run-bg: light-dark(#e6eff9, #17283b);
    --skip: light-dark(#835a00, #d9ad4a);
    --skip-bg: light-dark(#faf0d7, #332a14);
    --r: 8px;
    --mono: "JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
    --sans: Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", "Liberation Sans", system-ui, sans-serif;
  }
  :root[data-theme="light"] {
    color-scheme: light;
  }
  :root[data-theme="dark"] {
    color-scheme: dark;
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    background: var(--bg);
    color: var(--ink);
    font: 14px/1.5 var(--sans);
    font-variant-numeric: tabular-nums;
  }
  a {
    color: inherit;
    text-decoration: none;
  }
  a:hover {
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  h1 {
    font-size: 20px;
    margin: 0;
    letter-spacing: -0.01em;
    line-height: 1.3;
  }
  h2 {
    font-size: 12px;
    font-weight: 600;
    margin: 0 0 10px;
    color: var(--soft);
  }
  p {
    margin: 0 0 8px;
  }
  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 1px;
  }
  .mono {
    font-family: var(--mono);
    font-size: 12.5px;
  }
  .soft {
    color: var(--soft);
  }
  .faint {
    color: var(--faint);
  }
  .right {
    text-align: right;
  }
  .nowrap {
    white-space: nowrap;
  }
  .key {
    font-weight: 550;
    overflow-wrap: anywhere;
  }
  .link {
    color: var(--accent);
  }
  p .link,
  li .link,
  dd .link {
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .tag {
    font-size: 11.5px;
    color: var(--soft);
    border: 1px solid var(--line);
    border-radius: 4px;
    padding: 0 5px;
    overflow-wrap: anywhere;
  }
  .top {
    display: flex;
    gap: 8px 16px;
    align-items: center;
    margin-bottom: 18px;
    flex-wrap: wrap;
  }
  .grow {
    flex: 1;
  }
  .panel {
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: var(--r);
    padding: 16px 18px;
  }
  .grid {
    display: grid;
    gap: 16px;
  }
  .cols-2 {
    grid-template-columns: repeat(2, 1fr);
  }
  .cols-3 {
    grid-template-columns: repeat(3, 1fr);
  }
  .cols-4 {
    grid-template-columns: repeat(4, 1fr);
  }
  .cols-21 {
    grid-template-columns: 2fr 1fr;
  }
  .grid > * {
    min-width: 0;
  }
  .kpi b {
    display: block;
    font-size: 26px;
    font-weight: 600;
    letter-spacing: -0.02em;
    line-height: 1.2;
  }
  .kpi span {
    display: block;
    color: var(--soft);
    font-size: 12.5px;
  }
  dl.facts {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 6px 16px;
    margin: 0;
  }
  dl.facts dt {
    color: var(--soft);
  }
  dl.facts dd {
    margin: 0;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  kbd {
    font: 11px var(--mono);
    border: 1px solid var(--line);
    border-radius: 4px;
    padding: 1px 5px;
    color: var(--faint);
  }
  button,
  .btn {
    font: inherit;
    border: 1px solid var(--line);
    background: var(--panel);
    color: var(--ink);
    border-radius: 6px;
    padding: 6.5px 12px;
    cursor: pointer;
    display: inline-block;
    white-space: nowrap;
  }
  button:hover,
  .btn:hover {
    border-color: var(--faint);
    text-decoration: none;
  }
  button:active,
  .btn:active {
    background: var(--sunken);
  }
  button:disabled {
    color: var(--faint);
    cursor: default;
    border-color: var(--line);
    background: var(--sunken);
  }
  .primary,
  .primary:active {
    background: var(--accent);
    color: var(--on-accent);
    border-color: transparent;
    font-weight: 550;
  }
  .primary:hover {
    background: color-mix(in srgb, var(--accent) 88%, var(--ink));
    border-color: transparent;
  }
  .quiet:hover {
    color: var(--ink);
    background: var(--sunken);
    border-color: transparent;
  }
  .danger {
    color: var(--bad);
  }
  .quiet {
    border-color: transparent;
    background: none;
    color: var(--soft);
  }
  .small {
    padding: 2px 8px;
    font-size: 12.5px;
  }
  label {
    font-size: 12px;
    color: var(--soft);
    display: grid;
    gap: 4px;
  }
  input:not([type="radio"], [type="checkbox"]),
  select,
  textarea {
    font: inherit;
    font-size: 14px;
    color: var(--ink);
    background: var(--bg);
    border: 1px solid var(--line);
    border-radius: 6px;
    padding: 6px 10px;
    min-height: 36px;
    width: 100%;
  }
  :is(input, select, textarea):hover:not(:disabled, [type="radio"], [type="checkbox"]) {
    border-color: var(--faint);
  }
  :is(input, select, textarea):disabled {
    color: var(--soft);
    background: var(--sunken);
  }
  input[type="radio"],
  input[type="checkbox"] {
    accent-color: var(--accent);
    width: 14px;
    height: 14px;
    margin: 0;
    vertical-align: -2px;
  }
  input::placeholder {
    color: var(--faint);
    opacity: 1;
  }
  .field-error {
    color: var(--bad);
    font-size: 12.5px;
  }
  [aria-invalid="true"] {
    border-color: var(--bad) !important;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg text {
    font: 11px var(--sans);
    fill: var(--faint);
  }
  .fill-ok {
    fill: var(--ok);
  }
  .fill-bad {
    fill: var(--bad);
  }
  .fill-run {
    fill: var(--run);
  }
  .fill-skip {
    fill: var(--skip);
  }
  .fill-accent {
    fill: var(--accent);
  }
  .hollow-skip {
    fill: none;
    stroke: var(--skip);
  }
  .hollow-wait {
    fill: none;
    stroke: var(--wait);
  }
  .fill-wait {
    fill: none;
    stroke: var(--wait);
  }
  .fill-none {
    fill: var(--sunken);
  }
  .fill-nothing {
    fill: transparent;
  }
  a:hover > .fill-nothing {
    fill: var(--accent-bg);
  }
  .stroke-accent {
    fill: none;
    stroke: var(--accent);
  }
  .stroke-line {
    stroke: var(--line);
  }
  .cols-32 {
    grid-template-columns: 3fr 2fr;
  }
  .stack {
    display: grid;
    gap: 16px;
    align-content: start;
  }
  @media (max-width: 1000px) {
    .cols-4 {
      grid-template-columns: 1fr 1fr;
    }
    .cols-21,
    .cols-32,
    .cols-3 {
      grid-template-columns: 1fr;
    }
  }
  @media (max-width: 760px) {
    .top > .grow {
      display: none;
    }
    .cols-2 {
      grid-template-columns: 1fr;
    }
    .panel {
      padding: 12px;
    }
    .wide-only {
      display: none;
    }
  }
  @media print {
    :root {
      color-scheme: light;
    }
    .app > nav,
    .top.bar,
    button,
    .btn,
    .filters,
    .toasts,
    .chart-table,
    .pages,
    .why-pick {
      display: none !important;
    }
    .app {
      display: block !important;
    }
    .app main {
      padding: 0 !important;
      max-width: none !important;
    }
    .panel,
    .why,
    .verdict,
    tr {
      break-inside: avoid;
    }
    * {
      print-color-adjust: exact;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
      transition: none !important;
    }
  }
`);
