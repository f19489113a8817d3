// What was just done, or was not, and the way back.
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { t } from "./texts.js";

const SHOWN = 5_000;
const SHOWN_UNDO = 10_000;
const SHOWN_PROBLEM = 12_000;
/** @type {{ text: string, bad: boolean, undo: (() => unknown) | null }} */
const NOTHING = { text: "", bad: false, undo: null };

const toast = signal(NOTHING);
let timer = 0;

/**
 * Shows a text for some seconds; with `undo`, an action that takes back what was done, for ten.
 * @param {string} text
 * @param {boolean} [bad]
 * @param {(() => unknown) | null} [undo]
 */
export function say(text, bad = false, undo = null) {
  toast.value = { text, bad, undo };
  clearTimeout(timer);
  timer = setTimeout(() => (toast.value = NOTHING), undo ? SHOWN_UNDO : bad ? SHOWN_PROBLEM : SHOWN);
}

/** @param {(...given: any[]) => any} undo */
function take(undo) {
  toast.value = NOTHING;
  undo();
}

export function Toast() {
  const { text, bad, undo } = toast.value;
  return html`<div class="said ${bad ? "bad" : ""}" role="status" aria-live="polite">${text && html`<span>${text} ${undo && html`<button class="undo" onClick=${() => take(undo)}>${t("Undo")}</button>`}</span>`}</div>`;
}
