// What a store counts beside its filament, as a part of a form: printers' hours, energy and labour.
import { html } from "./html.js";
import { ids, viewOf } from "./farm.js";
import { Check, Field, NumberField, Rows, Wrong } from "./components.js";
import { t } from "./texts.js";

const NOTHING = { printerHourCents: null, energy: null, labour: null };
const OTHERS = "*"; // all models that have no row of their own
const POWER = { heatingWatts: 300, heatingSeconds: 300, printingWatts: 100 };
const WINDOW = { from: "22:00", until: "06:00", centsPerKwh: 0 };
const MONEY = { factor: 100, step: "0.01" };

/**
 * `of` is a record of the rates, whose members stand below `path`; what is drawn is a number of it.
 * @param {any} of
 * @param {string} path
 * @param {FieldFault[]} faults
 * @param {(...given: any[]) => any} onChange
 */
const numbers =
  (of, path, faults, onChange) =>
  (/** @type {string} */ name, /** @type {string} */ label, more = {}) =>
    html`<${NumberField} key=${name} label=${label} path=${`${path}.${name}`} faults=${faults} value=${of[name] ?? null} onChange=${(value) => onChange({ ...of, [name]: value })} ...${more} />`;

/**
 * The watts of each model, and of all others; each model has one row at most.
 * @param {{ models: any, onChange: (...given: any[]) => any, faults: FieldFault[] }} props
 */
function Models({ models, onChange, faults }) {
  const rows = Object.entries(models).map(([model, power]) => ({ model, ...power }));
  const known = [
    OTHERS,
    ...new Set([...Object.keys(models), ...ids.value.map((/** @type {string} */ id) => viewOf(id).peek().printer.modelName)]),
  ].filter((each, i, all) => each && all.indexOf(each) === i);
  const free = known.filter((each) => !(each in models));
  const kept = (/** @type {any[]} */ list) =>
    onChange(Object.fromEntries(list.map((/** @type {any} */ { model, ...power }) => [model, power])));
  return html`<${Rows} list=${rows} onChange=${kept} start=${free.length > 0 && { model: free[0], ...POWER }} word=${t("Watts of a model")} noun=${t("model")} draw=${(
    { model, ...power },
    _at,
    set,
  ) => {
    const number = numbers(power, `costRates.energy.models.${model}`, faults, set);
    return html`<${Field} label=${t("Model")} path=${`costRates.energy.models.${model}`} faults=${[]}><select value=${model} onChange=${(event) => set({ model: event.target.value })}>${[model, ...free].map((each) => html`<option key=${each} value=${each}>${each === OTHERS ? t("all others") : each}</option>`)}</select></${Field}>
      ${number("printingWatts", t("Watts while printing"))}${number("heatingWatts", t("Watts while heating"))}${number("heatingSeconds", t("Seconds of heating"), { step: 1 })}`;
  }} />`;
}

/** @param {{ windows: any, onChange: (...given: any[]) => any, faults: FieldFault[], currency: string }} props */
function Windows({ windows, onChange, faults, currency }) {
  return html`<${Rows} list=${windows} onChange=${onChange} start=${WINDOW} word=${t("Another price at some hours")} noun=${t("hours")} draw=${(
    row,
    at,
    set,
  ) => {
    const path = `costRates.energy.windows[${at}]`;
    const time = (/** @type {string} */ name, /** @type {string} */ label) =>
      html`<${Field} label=${label} path=${`${path}.${name}`} faults=${faults}><input type="time" value=${row[name]} onInput=${(event) => set({ [name]: event.target.value })} /></${Field}>`;
    return html`${time("from", t("From"))}${time("until", t("Until"))}${numbers(row, path, faults, set)("centsPerKwh", `${currency} a kWh`, MONEY)}`;
  }} />`;
}

/** @param {{ rates: CostRates, onChange: (...given: any[]) => any, faults: FieldFault[], disabled: boolean, currency: string }} props */
export function Rates({ rates, onChange, faults, disabled, currency }) {
  const now = rates ?? NOTHING;
  const set = (/** @type {any} */ change) => onChange({ ...now, ...change });
  const energy = (/** @type {any} */ change) => set({ energy: { ...now.energy, ...change } });
  const ofEnergy = now.energy && numbers(now.energy, "costRates.energy", faults, energy);
  const ofLabour = now.labour && numbers(now.labour, "costRates.labour", faults, (/** @type {any} */ labour) => set({ labour }));
  return html`<fieldset disabled=${disabled}><legend>${t("Costs beside filament")}</legend>
    ${numbers(now, "costRates", faults, set)("printerHourCents", t("{currency} for an hour of a printer", { currency }), { ...MONEY, hint: t("unless the printer has its own; if empty, not counted") })}
    <${Check} label=${t("Count energy")} checked=${Boolean(now.energy)} onChange=${(on) => set({ energy: on ? { centsPerKwh: 30, windows: [], models: { [OTHERS]: POWER } } : null })} />
    ${
      now.energy &&
      html`<div class="within">${ofEnergy("centsPerKwh", `${currency} a kWh`, MONEY)}
      <${Windows} windows=${now.energy.windows ?? []} onChange=${(windows) => energy({ windows })} faults=${faults} currency=${currency} />
      <${Models} models=${now.energy.models} onChange=${(models) => energy({ models })} faults=${faults} /></div>`
    }
    <${Check} label=${t("Count labour")} checked=${Boolean(now.labour)} onChange=${(on) => set({ labour: on ? { hourCents: 2000, minutesPerBed: 2, minutesPerFilamentChange: 5, minutesPerOrder: null } : null })} />
    ${now.labour && html`<div class="within three">${ofLabour("hourCents", t("{currency} an hour", { currency }), MONEY)}${ofLabour("minutesPerBed", t("Minutes a bed"))}${ofLabour("minutesPerFilamentChange", t("Minutes a filament change"))}${ofLabour("minutesPerOrder", t("Minutes an order"))}</div>`}
    <${Wrong} path="costRates" faults=${faults.filter((/** @type {any} */ fault) => fault.path === "costRates")} /></fieldset>`;
}
