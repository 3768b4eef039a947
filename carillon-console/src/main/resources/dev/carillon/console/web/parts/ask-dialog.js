// A dialog that asks for what an action needs, and shows what the server says about it at the fields.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { isAbort } from "../app/api.js";

let dialog;

/**
 * Asks, and resolves with what `submit` returned; with undefined if it was given up.
 *
 * @param title what will be done, as a question or an order
 * @param says a sentence or template about the consequences
 * @param fields `{ name, label, type?, value?, required?, options?, hint?, pointer?, often? }`; the pointer is "/" + name unless
 *   said; `often` are values to choose with one click: `[[value, word]]`
 * @param confirm the word on the button
 * @param danger whether it cannot be taken back
 * @param only whether there is nothing to choose: no button to give it up
 * @param submit does it with the values by name; what it throws stays in the dialog
 */
export const ask = (question) => dialog.ask(question);

class AskDialog extends CarillonElement {
  #question;
  #resolve;
  #failure;
  #busy = false;

  connectedCallback() {
    super.connectedCallback();
    dialog = this;
  }

  async ask(question) {
    this.#question = question;
    this.#failure = undefined;
    this.#busy = false;
    this.requestUpdate();
    await this.updateComplete;
    const form = this.querySelector("form");
    form.reset();
    this.querySelector("dialog").showModal();
    form.querySelector("input, select, textarea, button.primary")?.focus();
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  async #submit(event) {
    event.preventDefault();
    if (this.#busy) return;
    const values = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value !== ""));
    this.#busy = true;
    this.#failure = undefined;
    this.requestUpdate();
    try {
      const answer = await this.#question.submit(values);
      this.#close(answer ?? true);
    } catch (failure) {
      this.#failure = isAbort(failure) ? undefined : failure;
    } finally {
      this.#busy = false;
      this.requestUpdate();
    }
  }

  #close(answer) {
    this.querySelector("dialog").close();
    this.#resolve?.(answer);
    this.#resolve = this.#question = undefined;
    this.requestUpdate();
  }

  /* The focus goes into the field, so that Enter sends it. */
  #choose(id, value) {
    const field = this.querySelector("#" + id);
    field.value = value;
    field.focus();
  }

  #field(field) {
    const problem = this.#failure?.at?.(field.pointer ?? "/" + field.name) ?? "";
    const invalid = problem ? "true" : nothing;
    const id = "ask-" + field.name;
    const described = problem || field.hint ? id + "-says" : nothing;
    const input =
      field.type === "select"
        ? html`<select id=${id} name=${field.name} aria-invalid=${invalid} aria-describedby=${described}>
            ${field.options.map(([value, word]) => html`<option value=${value} ?selected=${value === field.value}>${word}</option>`)}
          </select>`
        : field.type === "textarea"
          ? html`<textarea
              id=${id}
              name=${field.name}
              rows="6"
              class="mono"
              aria-invalid=${invalid}
              aria-describedby=${described}
              .defaultValue=${field.value ?? ""}
              ?required=${field.required}
            ></textarea>`
          : html`<input
              id=${id}
              name=${field.name}
              type=${field.type ?? "text"}
              autocomplete="off"
              aria-invalid=${invalid}
              aria-describedby=${described}
              .defaultValue=${field.value ?? ""}
              ?required=${field.required}
            />`;
    return html`<div class="ask-field">
      <label for=${id}>${field.label}</label>${input}
      ${field.often ? html`<span class="ask-often">${field.often.map(([value, word]) => html`<button type="button" class="small" @click=${() => this.#choose(id, value)}>${word}</button>`)}</span>` : nothing}
      ${problem ? html`<span class="field-error" id=${id + "-says"}>${problem}</span>` : field.hint ? html`<span class="faint" id=${id + "-says"}>${field.hint}</span>` : nothing}
    </div>`;
  }

  render() {
    const question = this.#question ?? { title: "", fields: [] };
    const fields = question.fields ?? [];
    const pointers = fields.map((field) => field.pointer ?? "/" + field.name);
    const other = this.#failure ? (this.#failure.besides?.(pointers) ?? this.#failure.message) : "";
    return html`<dialog
      class="ask"
      aria-labelledby="ask-title"
      @cancel=${(event) => (event.preventDefault(), this.#close(undefined))}
    >
      <form method="dialog" @submit=${(event) => this.#submit(event)}>
        <h1 id="ask-title">${question.title}</h1>
        ${question.says ? html`<div class="soft">${question.says}</div>` : nothing}
        ${fields.map((field) => this.#field(field))}
        ${other ? html`<p class="field-error" role="alert">${other}</p>` : nothing}
        <div class="ask-buttons">
          ${question.only ? nothing : html`<button type="button" @click=${() => this.#close(undefined)}>Cancel</button>`}
          <button type="submit" class=${question.danger ? "danger" : "primary"} ?disabled=${this.#busy}>
            ${question.confirm ?? "OK"}
          </button>
        </div>
      </form>
    </dialog>`;
  }
}
customElements.define("ask-dialog", AskDialog);

adopt(css`
  dialog {
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--panel);
    color: var(--ink);
    padding: 20px;
    width: min(460px, calc(100vw - 24px));
    box-shadow: 0 16px 60px rgb(0 0 0 / 0.25);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.35);
  }
  .ask form {
    display: grid;
    gap: 14px;
  }
  .ask-field {
    display: grid;
    gap: 4px;
  }
  .ask-often {
    display: flex;
    gap: 6px;
    flex-wrap: wrap;
  }
  .ask-buttons {
    display: flex;
    gap: 8px;
    justify-content: flex-end;
  }
`);
