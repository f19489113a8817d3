// When people are at the farm, as a part of a form.
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Field, NumberField, Wrong } from "./components.js";
import { t } from "./texts.js";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const SHIFT = { from: "08:00", to: "17:00" };
export const USUAL = {
  shifts: DAYS.slice(0, 5).map((day) => ({ day, ...SHIFT })),
  holidays: [],
  minutesPerBed: 2,
  minutesPerFilamentChange: 5,
  people: 1,
};

/** @param {{ day: any, shifts: any, onChange: (...given: any[]) => any, faults: FieldFault[] }} props */
function Day({ day, shifts, onChange, faults }) {
  const name = day[0].toUpperCase() + day.slice(1);
  const mine = shifts.flatMap((/** @type {any} */ shift, /** @type {any} */ at) => (shift.day === day ? [{ ...shift, at }] : []));
  const set = (/** @type {any} */ at, /** @type {any} */ change) =>
    onChange(shifts.map((/** @type {any} */ shift, /** @type {number} */ i) => (i === at ? { ...shift, ...change } : shift)));
  const time = (
    /** @type {any} */ shift,
    /** @type {any} */ end,
    /** @type {string} */ word,
  ) => html`<input type="time" aria-label=${`${name} ${word}`} value=${shift[end]}
    aria-invalid=${faults.some((/** @type {any} */ fault) => fault.path === `workingHours.shifts[${shift.at}].${end}`)} onInput=${(event) => set(shift.at, { [end]: event.target.value })} />`;
  return html`<li><b>${name}</b><span class="shifts">${mine.map(
    (/** @type {any} */ shift) => html`<span key=${shift.at}>${time(shift, "from", "from")} – ${time(shift, "to", "until")}
      ${shift.to < shift.from && html`<small>${t("on the next day")}</small>`}
      <button type="button" class="quiet" aria-label=${t("Remove {from} on {name}", { from: shift.from, name })} onClick=${() => onChange(shifts.filter((/** @type {any} */ _, /** @type {number} */ i) => i !== shift.at))}><${Icon} name="cross" /></button>
      <${Wrong} path=${`workingHours.shifts[${shift.at}]`} faults=${faults} /></span>`,
  )}
    ${!mine.length && html`<span class="count">${t("nobody")}</span>`}
    <button type="button" class="quiet" aria-label=${t("Add hours on {name}", { name })} onClick=${() => onChange([...shifts, { day, ...SHIFT }])}><${Icon} name="add" /></button></span></li>`;
}

/** @param {{ hours: any, onChange: (...given: any[]) => any, faults: FieldFault[], disabled?: boolean, zone: string }} props */
export function Hours({ hours, onChange, faults, disabled = false, zone }) {
  const set = (/** @type {any} */ change) => onChange({ ...hours, ...change });
  const number = (/** @type {string} */ name, /** @type {string} */ label, /** @type {any} */ more) =>
    html`<${NumberField} label=${label} path=${`workingHours.${name}`} faults=${faults} value=${hours[name]} onChange=${(value) => set({ [name]: value })} ...${more} />`;
  return html`<fieldset class="hours" disabled=${disabled}><legend>${t("Working hours")}</legend>
    <p class="count">${hours.shifts.length ? zone && t("in the time zone {zone}", { zone }) : t("Without hours, the plan assumes that somebody is always there.")}</p>
    <ul class="days">${DAYS.map((day) => html`<${Day} key=${day} day=${day} shifts=${hours.shifts} faults=${faults} onChange=${(shifts) => set({ shifts })} />`)}</ul>
    <div class="three">${number("people", t("People at once"), { min: 1, max: 1000 })}${number("minutesPerBed", t("Minutes to clear a bed"), { max: 1440 })}${number("minutesPerFilamentChange", t("Minutes to change filament"), { max: 1440 })}</div>
    <${Field} label=${t("Holidays")} path="workingHours.holidays" faults=${faults} hint=${t("days without hours, for instance 2026-12-25, 2026-12-26")}><input value=${hours.holidays.join(", ")}
      onChange=${(event) => set({ holidays: event.target.value.split(/[\s,]+/).filter(Boolean) })} /></${Field}>
  </fieldset>`;
}
