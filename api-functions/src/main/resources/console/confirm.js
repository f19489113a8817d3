// The dialog that stands before an action that cannot be undone, and the button that opens it.
import { useEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./texts.js";

const GUARD = 600; // milliseconds in which a press was meant for what the dialog covers

const question = signal(null);

/**
 * Asks before an action. `title` is the question, `facts` are pairs of a name and a value that say what is lost, `word` is on
 * the button that confirms, and `keep` on the one that does not. Without a `word` it only tells.
 * @param {any} asked
 */
export const confirm = (asked) => (question.value = { keep: t("Cancel"), facts: [], kind: "danger", ...asked });

/** @param {{ title: string, facts: any, note: any, word?: string, keep: any, kind: any, act: (...given: any[]) => any }} props */
function Dialog({ title, facts, note, word, keep, kind, act }) {
  const dialog = useRef(null);
  const openedAt = useRef(Infinity);
  const [guarded, setGuarded] = useState(true);
  useEffect(() => {
    dialog.current.showModal();
    openedAt.current = performance.now();
    const timer = setTimeout(() => setGuarded(false), GUARD);
    return () => clearTimeout(timer);
  }, []);
  const close = () => dialog.current.close(); // returns the focus to where it was
  // A busy page handles presses late: what counts is when the press was made.
  const confirmed = (/** @type {any} */ event) => {
    if (event.timeStamp - openedAt.current >= GUARD) {
      close();
      act();
    }
  };
  return html`<dialog ref=${dialog} aria-labelledby="question" onClose=${() => (question.value = null)}>
    <h2 id="question">${title}</h2>
    ${facts.length > 0 && html`<dl class="facts">${facts.map((/** @type {any} */ [name, value], /** @type {number} */ i) => html`<div key=${i}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
    ${note && html`<p>${note}</p>`}
    <div class="answers"><button autofocus onClick=${close}>${keep}</button>${word && html`<button class=${kind} disabled=${guarded} onClick=${confirmed}>${word}</button>`}</div>
  </dialog>`;
}

/** The open question, if there is one. */
export const Confirmation = () => question.value && html`<${Dialog} ...${question.value} />`;

/**
 * A button for an action that is confirmed in a dialog; `ask` returns the question, `icon` and `label` stand for the word where there is little room.
 * @param {{ word: string, ask: (...given: any[]) => any, act: (...given: any[]) => any, icon: string, label: string, kind?: string, disabled?: boolean }} props
 */
export function ConfirmButton({ word, ask, act, icon, label, kind = "", disabled = false }) {
  return html`<button class=${kind} disabled=${disabled} onClick=${() => confirm({ word, ...ask(), act })} aria-label=${label && `${word}: ${label}`} title=${word}>
    ${icon && html`<${Icon} name=${icon} />`}${(!icon || !label) && word}</button>`;
}

const NEAR = 24; // pixels between the presses of a double-click

let last = { timeStamp: -GUARD, clientX: 0, clientY: 0 };

/**
 * Whether this press is the second one of a double-click, which may hit another row that moved under the pointer; the keyboard has no pointer.
 * @param {{ detail: any, timeStamp: any, clientX: any, clientY: any }} given
 */
export function isRepeated({ detail, timeStamp, clientX, clientY }) {
  const repeated = detail > 0 && timeStamp - last.timeStamp < GUARD && Math.hypot(clientX - last.clientX, clientY - last.clientY) < NEAR;
  last = { timeStamp, clientX, clientY };
  return repeated;
}
