// A box that answers a question: why, what would change, who.
import { css, adopt } from "../app/element.js";

adopt(css`
  .why {
    background: var(--accent-bg);
    border-radius: var(--r);
    padding: 14px 16px;
    overflow-wrap: anywhere;
  }
  .why h2 {
    color: var(--ink);
    font-size: 14px;
    margin: 0 0 6px;
  }
  .why ol {
    margin: 8px 0;
    padding-left: 20px;
  }
  .why li {
    margin: 4px 0;
  }
  .why .faint,
  .why .soft,
  .why label {
    color: var(--ink);
    opacity: 0.82;
  }
`);
