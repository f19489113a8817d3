// Choosing the filament of a print: each choice with its colour, what is left of it, and where it is loaded.
import { useRef } from "preact/hooks";
import { html } from "./html.js";
import { may } from "./api.js";
import { useAnswer } from "./requests.js";
import { ids, viewOf } from "./farm.js";
import { color } from "./looks.js";
import { slotName } from "./names.js";
import { firstOf, t } from "./texts.js";

const NAMED = 2; // printers that a choice names
const USUAL = ["PLA", "PETG"];

/** @param {{ of: any }} props */
export const Swatch = ({ of }) => html`<i class="swatch" style=${{ "--color": color(of?.split(";")[0]) ?? "transparent" }}></i>`;

/**
 * Where filament is loaded: the printers' own reports, and the spools that people assigned.
 * @param {any} assigned
 */
function loadedSlots(assigned) {
  const reported = ids.value.flatMap((/** @type {string} */ id) => {
    const { printer, state } = viewOf(id).peek();
    return (state?.filamentSlots ?? [])
      .filter((/** @type {any} */ slot) => slot.loaded)
      .map((/** @type {any} */ slot) => ({
        printerId: id,
        printer: printer.name,
        slot: slotName(slot.amsIndex, slot.slotIndex),
        materialType: slot.materialType,
        color: slot.color,
      }));
  });
  const known = assigned
    .filter((/** @type {any} */ slot) => ids.value.includes(slot.printerId))
    .map((/** @type {any} */ slot) => ({
      ...slot,
      printer: viewOf(slot.printerId).peek().printer.name,
      slot: slotName(slot.amsIndex, slot.slotIndex),
    }));
  return [
    ...known,
    ...reported.filter(
      (/** @type {any} */ each) => !known.some((/** @type {any} */ slot) => slot.printerId === each.printerId && slot.slot === each.slot),
    ),
  ];
}

/** What may be chosen for a filament: a type, a material, a colour of it, or a group of such that are as good as each other. */
export function useFilaments() {
  const view = may("material.view");
  const materials = useAnswer(view && "/v1/materials?sort=name&fields=id,name,brand,type").value ?? [];
  const variants = useAnswer(view && "/v1/materials/variants?sort=name&fields=id,name,materialId,color").value ?? [];
  const groups = useAnswer(view && "/v1/materials/groups?sort=name&fields=id,name").value ?? [];
  const spools =
    useAnswer(
      may("material.instance.view") && "/v1/materials/instances?fields=id,variantId,materialId,materialType,remainingGrams&limit=1000",
    ).value ?? [];
  const slots = loadedSlots(
    useAnswer(view && "/v1/printer-slots?fields=id,printerId,amsIndex,slotIndex,materialId,variantId,materialType&limit=1000").value ?? [],
  );
  const materialOf = new Map(materials.map((each) => [each.id, each]));
  const variantOf = new Map(variants.map((each) => [each.id, each]));
  const materialIdOf = (/** @type {any} */ each) => each.materialId ?? variantOf.get(each.variantId)?.materialId;
  const typeOf = (/** @type {any} */ each) => materialOf.get(materialIdOf(each))?.type ?? each.materialType;
  const choice = (
    /** @type {string} */ field,
    /** @type {string} */ id,
    /** @type {string} */ text,
    /** @type {any} */ fits,
    shade = /** @type {string | undefined} */ (undefined),
  ) => {
    const own = spools.filter(fits);
    const grams = own.some((each) => each.remainingGrams !== null) ? own.reduce((sum, each) => sum + (each.remainingGrams ?? 0), 0) : null;
    return { value: `${field} ${id}`, text, color: shade, grams, loaded: slots.filter(fits).map((slot) => `${slot.printer} ${slot.slot}`) };
  };
  const types = [...new Set([...materials.map((each) => each.type), ...slots.map((slot) => slot.materialType), ...USUAL])]
    .filter(Boolean)
    .sort();
  return [
    [t("Any of a type"), types.map((type) => choice("materialType", type, type, (/** @type {any} */ each) => typeOf(each) === type))],
    [
      t("Material"),
      materials.map((each) =>
        choice(
          "materialId",
          each.id,
          [each.brand, each.name].filter(Boolean).join(" "),
          (/** @type {any} */ other) => materialIdOf(other) === each.id,
        ),
      ),
    ],
    [
      t("Colour"),
      variants.map((each) =>
        choice(
          "variantId",
          each.id,
          `${materialOf.get(each.materialId)?.name ?? ""} ${each.name}`.trim(),
          (/** @type {any} */ other) => other.variantId === each.id,
          each.color,
        ),
      ),
    ],
    [t("Group"), groups.map((each) => ({ value: `groupId ${each.id}`, text: each.name, grams: null, loaded: [] }))],
  ].filter(([, options]) => options.length);
}

/** @param {{ grams: number, loaded: any }} given */
const stock = ({ grams, loaded }) =>
  [
    grams !== null && t("{grams} g left", { grams: Math.round(grams) }),
    loaded.length > 0 && t("in {printers}", { printers: firstOf(loaded, NAMED) }),
  ]
    .filter(Boolean)
    .join(" · ");

/**
 * A list that opens, of radio buttons; Escape and a choice by the pointer close it.
 * @param {{ material: any, index: number, choices: any, value: any, onInput: (...given: any[]) => any, fault: any }} props
 */
export function FilamentChooser({ material, index, choices, value, onInput, fault }) {
  const list = useRef(null);
  const said = [material?.type, material?.name].filter(Boolean).join(" ") || "any";
  const inherited = { value: "", text: t("As the part says: {said}", { said }), color: material?.color, grams: null, loaded: [] };
  const chosen =
    choices.flatMap((/** @type {any} */ [, options]) => options).find((/** @type {any} */ each) => each.value === value) ?? inherited;
  const close = () => {
    list.current.open = false;
    list.current.querySelector("summary").focus();
  };
  const option = (
    /** @type {any} */ each,
  ) => html`<label key=${each.value} class="choice"><input type="radio" name=${`filament-${index}`} value=${each.value} checked=${each.value === value} onChange=${() => onInput(each.value)} onClick=${(event) => event.detail > 0 && event.screenX > 0 && close()} />
    <${Swatch} of=${each.color} /><span>${each.text}<small>${stock(each)}</small></span></label>`;
  return html`<div class="filamentpick"><span id=${`filament-${index}-name`}>${t("Filament {index}", { index: index + 1 })}</span>
    <details ref=${list} class="menu chooser" onKeyDown=${(event) => event.key === "Escape" && close()}><summary aria-describedby=${`filament-${index}-name`}><${Swatch} of=${chosen.color} /><span>${chosen.text}</span></summary>
      <div role="radiogroup" aria-labelledby=${`filament-${index}-name`}>${option(inherited)}${choices.map((/** @type {any} */ [name, options]) => html`<p key=${name}>${name}</p>${options.map(option)}`)}</div></details>
    ${stock(chosen) && html`<small>${stock(chosen)}</small>`}${fault && html`<small class="problem" role="alert">${fault}</small>`}</div>`;
}
