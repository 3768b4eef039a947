// The list of keys: opened by ?.
import { CarillonElement, html, css, adopt } from "../app/element.js";
import { bind, boundKeys } from "../app/keys.js";

class KeyList extends CarillonElement {
  connectedCallback() {
    super.connectedCallback();
    bind("?", "List the keys", () => this.open());
  }

  async open() {
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector("dialog").showModal();
  }

  render() {
    const others = [
      { key: "Ctrl K", says: "Find, also from within a field (⌘ K)" },
      { key: "↑ ↓", says: "Move through the rows of a table" },
      { key: "Home End", says: "The first or last row" },
      { key: "Enter", says: "Open the row" },
      { key: "Esc", says: "Close what is open" },
    ];
    return html`<dialog class="key-list" aria-labelledby="key-list-title">
      <h1 id="key-list-title">Keys</h1>
      <dl class="facts">
        ${[...boundKeys(), ...others].map(
          ({ key, says }) =>
            html`<dt>${key.split(" ").map((one) => html`<kbd>${one}</kbd> `)}</dt>
              <dd>${says}</dd>`,
        )}
      </dl>
      <form method="dialog" class="right"><button>Close</button></form>
    </dialog>`;
  }
}
customElements.define("key-list", KeyList);

adopt(css`
  .key-list dl {
    margin: 14px 0;
  }
`);
