// Puts a text into the clipboard; where the browser does not allow it, shows the text to be copied by hand.
import { html } from "../app/element.js";
import { ask } from "./ask-dialog.js";
import { toast } from "./toast-list.js";

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}.`);
  } catch {
    await ask({
      title: `Copy ${what}`,
      says: "The browser does not let pages write to the clipboard here; copy it yourself.",
      fields: [{ name: "text", label: "Text", type: "textarea", value: text }],
      confirm: "Done",
      submit: () => true,
    });
  }
}

/** A button that copies `text()`. */
export const copyButton = (label, what, text) =>
  html`<button class="copy" @click=${() => copyText(text(), what)}>${label}</button>`;

/** Puts a text into single quotes as shells read them. */
export const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
