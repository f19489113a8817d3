// Pieces that several views are made of: a picture, a name to be typed, a search, pages, an address to copy.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { number } from "./format.js";
import { useOnce } from "./requests.js";
import { fieldProblem } from "./names.js";
import { Icon } from "./icons.js";
import { picture } from "./pictures.js";
import { ask, route } from "./route.js";
import { say } from "./toast.js";
import { t } from "./texts.js";

/** @param {{ uri: string | null, icon?: string }} props */
export function Thumbnail({ uri, icon = "box" }) {
  const address = uri && picture(uri).value;
  return html`<span class="picture">${address ? html`<img src=${address} alt="" loading="lazy" />` : html`<${Icon} name=${icon} />`}</span>`;
}

/**
 * A small form in a line: one text, and what is done with it.
 * @param {{ label: string, word: string, value?: string, act: (...given: any[]) => any, cancel: (...given: any[]) => any }} props
 */
export function Naming({ label, word, value = "", act, cancel }) {
  const [text, setText] = useState(value);
  const { busy, once } = useOnce(act);
  return html`<form class="naming" onSubmit=${(event) => {
    event.preventDefault();
    once(text.trim());
  }} onKeyDown=${(event) => event.key === "Escape" && cancel()}>
    <label><span class="hidden">${label}</span><input ref=${(input) => input && !input.dataset.seen && ((input.dataset.seen = "yes"), input.focus())} required maxlength="500" placeholder=${label} value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <button class="primary" disabled=${busy || !text.trim()}>${word}</button><button type="button" class="quiet" onClick=${cancel}>${t("Cancel")}</button>
  </form>`;
}

/** @param {{ meta: any, page: any }} props */
export function Paging({ meta, page }) {
  const last = Math.max(0, Math.ceil(meta.total / meta.limit) - 1);
  const to = (/** @type {any} */ next) => {
    ask({ page: next ? String(next) : "" });
    scrollTo(0, 0);
  };
  return (
    last > 0 &&
    html`<nav class="paging" aria-label=${t("Pages")}>
    <button disabled=${page === 0} onClick=${() => to(page - 1)}>${t("← Before")}</button>
    <span>${t("{first}–{last} of {total}", { first: number(meta.offset + 1), last: number(meta.offset + meta.count), total: number(meta.total) })}</span>
    <button disabled=${page >= last} onClick=${() => to(page + 1)}>${t("Next →")}</button></nav>`
  );
}

/**
 * The text as it is typed, and what is asked for once nobody types.
 * @param {{ label: string, placeholder: any }} props
 */
export function Search({ label, placeholder }) {
  const asked = route.value.query.get("text") ?? "";
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    const timer = text !== asked && setTimeout(() => ask({ text, page: "" }), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<label class="search"><${Icon} name="search" /><span class="hidden">${label}</span>
    <input type="search" placeholder=${placeholder} value=${text} onInput=${(event) => setText(event.target.value)} /></label>`;
}

/** @param {string} path */
const within = (path) => (/** @type {any} */ fault) =>
  fault.path === path || fault.path.startsWith(`${path}[`) || fault.path.startsWith(`${path}.`);

/**
 * What the farm finds wrong at a path, or within it.
 * @param {{ path: string, faults: FieldFault[] }} props
 */
export function Wrong({ path, faults }) {
  const wrong = faults.filter(within(path));
  return (
    wrong.length > 0 &&
    html`<small class="problem" role="alert">${wrong.map((/** @type {any} */ fault) => fieldProblem(fault)).join("; ")}</small>`
  );
}

/**
 * A field with its label and, beside it, what is wrong with it.
 * @param {{ label: string, hint: string, path: string, faults: FieldFault[], children: any }} props
 */
export function Field({ label, hint, path, faults, children }) {
  const isWrong = faults.some(within(path));
  return html`<label class="field ${isWrong ? "wrong" : ""}"><span>${label}</span>${children}
    ${isWrong ? html`<${Wrong} path=${path} faults=${faults} />` : hint && html`<small>${hint}</small>`}</label>`;
}

/**
 * A field for a number, null where it is empty; of money, which the farm counts in cents, `factor` makes whole units.
 * @param {{ label: string, hint: string, path: string, faults: FieldFault[], value: any, onChange: (...given: any[]) => any, factor?: number, [more: string]: any }} props
 */
export const NumberField = ({
  label,
  hint,
  path,
  faults,
  value,
  onChange,
  factor = 1,
  ...more
}) => html`<${Field} label=${label} hint=${hint} path=${path} faults=${faults}><input type="number" min="0" step="any" defaultValue=${value == null ? "" : Number((value / factor).toPrecision(12))} ...${more}
  onInput=${({ target }) => onChange(Number.isNaN(target.valueAsNumber) ? null : Math.round(target.valueAsNumber * factor * 1e4) / 1e4)} /></${Field}>`;

/**
 * Rows of a form that are removed and, where there is a `start`, added; `draw` gets a row, where it is, and how it is changed.
 * @param {{ list: any[], onChange: (...given: any[]) => any, start: any, word: string, noun: string, draw: (...given: any[]) => any }} props
 */
export function Rows({ list, onChange, start, word, noun, draw }) {
  const [removals, setRemovals] = useState(0); // the remaining ones are redrawn
  return html`${list.map(
    (
      /** @type {any} */ row,
      /** @type {any} */ at,
    ) => html`<div class="repeated" key=${`${removals} ${at}`}>${draw(row, at, (/** @type {any} */ change) => onChange(list.map((/** @type {any} */ each, /** @type {number} */ i) => (i === at ? { ...each, ...change } : each))))}
      <button type="button" class="quiet" aria-label=${t("Remove {noun} {number}", { noun, number: at + 1 })} onClick=${() => {
        setRemovals(removals + 1);
        onChange(list.filter((/** @type {any} */ _, /** @type {number} */ i) => i !== at));
      }}><${Icon} name="cross" /></button></div>`,
  )}
    ${start !== false && html`<button type="button" class="quiet" onClick=${() => onChange([...list, start])}><${Icon} name="add" />${word}</button>`}`;
}

/** @param {{ label: string, hint: string, checked: boolean, onChange: (...given: any[]) => any, disabled: boolean }} props */
export const Check = ({ label, hint, checked, onChange, disabled }) =>
  html`<label class="line"><input type="checkbox" checked=${checked} disabled=${disabled} onChange=${(event) => onChange(event.target.checked)} /><span>${label}${hint && html` <small>${hint}</small>`}</span></label>`;

/**
 * What the farm says of jobs, without their ids.
 * @param {string} text
 */
export const withoutIds = (text) => text.replace(/\bjob [a-z0-9]{24}/g, t("another job")).replace(/\bJob [a-z0-9]{24}/g, t("Another job"));

/**
 * A text and what copies it: by its selection, since a page that comes by plain HTTP has no other clipboard.
 * @param {{ text: string }} props
 */
export function Copied({ text }) {
  const code = useRef();
  const copy = () => {
    getSelection()?.selectAllChildren(code.current);
    document.execCommand("copy") ? say(t("Copied")) : say(t("Selected. Copy it with the keyboard."), true);
  };
  return html`<p class="command"><code ref=${code}>${text}</code> <button type="button" class="quiet" onClick=${copy}>${t("Copy")}</button></p>`;
}

/**
 * What is shown this once, to be copied.
 * @param {{ label: string, text: string }} props
 */
export const Secret = ({ label, text }) => html`<div class="secret" role="status"><p>${label}</p><${Copied} text=${text} /></div>`;
