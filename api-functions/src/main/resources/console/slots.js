// What is in a printer's places for filament: what it says itself, and which spool people put there.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { get, may, patch } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { slotName } from "./names.js";
import { confirm } from "./confirm.js";
import { refreshSoon, viewOf } from "./farm.js";
import { color } from "./looks.js";
import { say } from "./toast.js";
import { t } from "./texts.js";

/**
 * @param {Spool} spool
 * @param {any} variant
 * @param {any} material
 */
export const spoolName = (spool, variant, material) =>
  [spool.name, material && [material.brand, material.name].filter(Boolean).join(" "), variant?.name, !material && spool.materialType]
    .filter(Boolean)
    .join(" · ") || spool.id;

/**
 * The spool of what was scanned or typed: the address on its label, its id, or what its maker calls it.
 * @param {string} text
 */
export async function spoolOf(text) {
  const typed = text.trim();
  const id = /(?:^|\/)([a-z0-9]{24})\/?$/.exec(typed.toLowerCase())?.[1];
  const [found] = await get(
    `/v1/materials/instances?${id ? `id=${id}` : `identifier=${encodeURIComponent(typed)}`}&include=variant,material&limit=1`,
  );
  if (!found) {
    throw new Error(t("There is no spool {typed}", { typed }));
  }
  return found;
}

/**
 * A spool is in one place: where it was before, nothing is then.
 * @param {string} id
 * @param {any} at
 * @param {Spool} spool
 * @param {any} tells
 */
async function put(id, at, spool, tells) {
  const before = await get(`/v1/printer-slots?instanceId=${spool.id}`);
  await patch("/v1/printer-slots/assign", { printerIds: [id], slots: [at], instanceId: spool.id, setOnPrinter: tells });
  for (const { printerId, amsIndex, slotIndex } of before.filter(
    (each) => each.printerId !== id || each.amsIndex !== at.amsIndex || each.slotIndex !== at.slotIndex,
  )) {
    await patch("/v1/printer-slots/assign", { printerIds: [printerId], slots: [{ amsIndex, slotIndex }] });
  }
  return before;
}

/**
 * Takes what a scanner types, which ends with Enter, or a choice from the list.
 * @param {{ id: string, at: any, before: any, tells: any, done: any }} props
 */
function Assigning({ id, at, before, tells, done }) {
  const field = useRef();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState("");
  const spools = useAnswer("/v1/materials/instances?sort=createdAt:desc&include=variant,material&limit=200").value ?? [];
  useEffect(() => field.current.focus(), []);
  const place = slotName(at.amsIndex, at.slotIndex);
  const assign = (/** @type {Spool} */ spool) =>
    attempt(
      () => put(id, at, spool, tells),
      t("{spool} is in {place}", { spool: spoolName(spool, spool.variant, spool.material), place }),
    ).then((well) => (well ? done() : setText("")));
  // A paused print continues with what is loaded then.
  const take = async (/** @type {any} */ find) => {
    const spool = await find().catch((/** @type {any} */ problem) => say(problem.message, true));
    if (!spool) {
      setText("");
      return;
    }
    const type = spool.material?.type ?? spool.materialType;
    const { printer, state } = viewOf(id).peek();
    state?.job && ["paused", "printing"].includes(state.status) && before && type && type !== before
      ? confirm({
          title: t("Put {type} into {place} of a print in {before}?", { type, place, before }),
          note: t("The print continues with the filament that is loaded."),
          word: t("Put {type} in", { type }),
          facts: [
            [t("Printer"), printer.name],
            [t("Spool"), spoolName(spool, spool.variant, spool.material)],
            [t("Loaded until now"), before],
          ],
          act: () => assign(spool),
        })
      : assign(spool);
  };
  return html`<form class="assigning" onSubmit=${(event) => {
    event.preventDefault();
    take(() => spoolOf(text));
  }} onKeyDown=${(event) => event.key === "Escape" && done()}>
    <label>${t("Scan or type a spool")}<input ref=${field} required autocomplete="off" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <label>${t("or choose")}<select value=${chosen} onChange=${(event) => setChosen(event.target.value)}><option value="">…</option>${spools.map((each) => html`<option key=${each.id} value=${each.id}>${spoolName(each, each.variant, each.material)}${each.remainingGrams === null ? "" : `, ${Math.round(each.remainingGrams)} g`}</option>`)}</select></label>
    <button type="button" disabled=${!chosen} onClick=${() => take(async () => spools.find((each) => each.id === chosen))}>${t("Put it in")}</button><button type="button" class="quiet" onClick=${done}>${t("Cancel")}</button></form>`;
}

/** @param {{ id: string, reported: any, tells: any }} props */
export function Slots({ id, reported, tells }) {
  const { value: kept = [], again } = useAnswer(`/v1/printer-slots?printerId=${id}&include=instance,variant,material`);
  const [open, setOpen] = useState("");
  const places = new Map();
  reported.forEach((/** @type {any} */ slot) => places.set(slotName(slot.amsIndex, slot.slotIndex), { at: slot, told: slot }));
  kept.forEach((slot) => {
    const name = slotName(slot.amsIndex, slot.slotIndex);
    places.set(name, { at: slot, ...places.get(name), kept: slot });
  });
  places.size || places.set("A1", { at: { amsIndex: 0, slotIndex: 0 } });
  const close = () => {
    setOpen("");
    again();
    refreshSoon();
  };
  const empty = (/** @type {any} */ at) =>
    attempt(
      () => patch("/v1/printer-slots/assign", { printerIds: [id], slots: [{ amsIndex: at.amsIndex, slotIndex: at.slotIndex }] }),
      t("The slot is marked as empty"),
    ).then(again);
  return html`<section><h2>${t("Filament")}</h2><ul class="slots">${[...places].sort().map(([name, { at, told, kept: slot }]) => {
    const spool = slot?.instance;
    const shade = color(told?.color) ?? color(slot?.variant?.color?.split(";")[0]);
    const other = told?.loaded && slot?.materialType && told.materialType && told.materialType !== slot.materialType;
    return html`<li key=${name}><b>${name}</b><i class="swatch" style=${{ "--color": shade ?? "transparent" }}></i>
      <div class="what"><p>${told ? (told.loaded ? (told.materialType ?? t("Unknown filament")) : t("Empty")) : (slot?.materialType ?? t("Not reported"))}${other && html` <span class="problem">${t("though {type} is assigned", { type: slot.materialType })}</span>`}</p>
        <p class="count">${spool ? html`<a href=${`/console/spools/${spool.id}`}>${spoolName(spool, slot.variant, slot.material)}</a>${spool.remainingGrams === null ? "" : `, ${t("{grams} g left", { grams: Math.round(spool.remainingGrams) })}`}` : (slot?.material?.name ?? t("No spool assigned"))}</p></div>
      ${
        may("printer.edit") &&
        may("material.instance.view") &&
        html`<span class="acts"><button aria-expanded=${open === name} aria-label=${t("Spool in {slot}", { slot: name })} onClick=${() => setOpen(open === name ? "" : name)}>${t("Spool …")}</button>
        ${slot?.materialType && html`<button class="quiet" aria-label=${t("Take the spool out of {slot}", { slot: name })} onClick=${() => empty(at)}>${t("Take out")}</button>`}</span>`
      }
      ${open === name && html`<${Assigning} id=${id} at=${{ amsIndex: at.amsIndex, slotIndex: at.slotIndex }} before=${slot?.materialType ?? told?.materialType} tells=${tells} done=${close} />`}</li>`;
  })}</ul></section>`;
}
