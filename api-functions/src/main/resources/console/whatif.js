// What if: more work, other printers or other hours, and what of the queue would be late or earlier then. Nothing is changed.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, post } from "./api.js";
import { useAnswer, useSending } from "./requests.js";
import { ids, viewOf } from "./farm.js";
import { duration, time } from "./format.js";
import { Hours, USUAL } from "./hours.js";
import { Icon } from "./icons.js";
import { Check, Field, NumberField, Rows } from "./components.js";
import { HoursFrom, Waits } from "./promises.js";
import { many, rich, t } from "./texts.js";

const MORE_WORK = { partId: "", quantity: 1, position: "" };
const MORE_PRINTERS = { like: "", count: 1 };

/** @param {{ label: string, path: string, faults: FieldFault[], value: any, options: any, onChange: (...given: any[]) => any }} props */
const Pick = ({
  label,
  path,
  faults,
  value,
  options,
  onChange,
}) => html`<${Field} label=${label} path=${path} faults=${faults}><select value=${value} onChange=${(event) => onChange(event.target.value)}>
  <option value="">${t("choose")}</option>${options.map((/** @type {any} */ { id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select></${Field}>`;

/**
 * How a promise moves: into lateness or out of it, or only to another time.
 * @param {{ before: any, after: any, becomesLate: any, becomesOnTime: any }} given
 */
function moved({ before, after, becomesLate, becomesOnTime }) {
  if (becomesLate || becomesOnTime) {
    return becomesLate
      ? html`<b class="problem"><${Icon} name="alert" />${t("would be late")}</b>`
      : html`<b class="good"><${Icon} name="check" />${t("would be on time")}</b>`;
  }
  if (!after.promisedAt || !before.promisedAt) {
    return after.promisedAt ? t("could be finished") : t("would have no finish time");
  }
  const by = (Date.parse(after.promisedAt) - Date.parse(before.promisedAt)) / 1000;
  return `${duration(Math.abs(by))} ${by < 0 ? "earlier" : "later"}`;
}

/** @param {{ promisedBy: any }} given */
const at = ({ promisedBy }) => (promisedBy ? time(promisedBy) : t("no finish time"));

/** @param {{ orders: any }} props */
function Orders({ orders }) {
  const numbers =
    useAnswer(
      may("order.view") &&
        `/v1/orders?fields=id,orderNumber&id.in=${orders
          .map((/** @type {any} */ each) => each.orderId)
          .slice(0, 100)
          .join(",")}`,
    ).value ?? [];
  const weight = (/** @type {any} */ each) => (each.becomesLate ? 0 : each.becomesOnTime ? 1 : 2);
  return html`<table class="sums"><thead><tr><th scope="col">${t("Order")}</th><th scope="col">${t("Due")}</th><th scope="col">${t("Done by")}</th><th scope="col">${t("Change")}</th></tr></thead>
    <tbody>${orders
      .toSorted((/** @type {any} */ a, /** @type {any} */ b) => weight(a) - weight(b))
      .map(
        (
          /** @type {any} */ each,
        ) => html`<tr key=${each.orderId}><th scope="row"><a href=${`/console/orders/${each.orderId}`}>${numbers.find(({ id }) => id === each.orderId)?.orderNumber ?? t("order")}</a></th>
      <td>${each.deadline ? time(each.deadline) : "–"}</td><td>${at(each.before)} → <b>${at(each.after)}</b></td><td>${moved(each)}</td></tr>`,
      )}</tbody></table>`;
}

/** @param {{ jobs: number, partName: string }} given */
const amountOf = ({ jobs, partName }) => ({ jobs: many(jobs, "{count} job", "{count} jobs"), part: html`<b>${partName}</b>` });

/** @param {{ earlier: any, later: any, queueBefore: any, queueAfter: any, workingHoursFrom: any, orders: any, builds: any }} props */
function Outcome({ earlier, later, queueBefore, queueAfter, workingHoursFrom, orders, builds }) {
  return html`<section class="outcomes" aria-label=${t("Result")} tabindex="-1" ref=${(each) => each && !each.dataset.seen && ((each.dataset.seen = "yes"), each.focus())}><h2>${t("Result")}</h2>
    <p>${earlier + later ? rich("Of the jobs that are queued now, {earlier} would be done earlier and {later} later.", { earlier: html`<b>${earlier || t("none")}</b>`, later: html`<b>${later || t("none")}</b>` }) : t("The queue would finish as it does now.")}</p>
    ${(queueBefore.promisedBy || queueAfter.promisedBy) && html`<p>${rich("The whole queue is done by: {before} → {after}", { before: at(queueBefore), after: html`<b>${at(queueAfter)}</b>` })}</p>`}
    ${workingHoursFrom && html`<${HoursFrom} from=${workingHoursFrom} />`}
    ${builds.map(
      (
        /** @type {any} */ each,
      ) => html`<p key=${each.partId}>${each.promisedBy ? rich("{jobs} of {part} would be done by {time}.", { ...amountOf(each), time: html`<b>${time(each.promisedBy)}</b>` }) : rich("{jobs} of {part} could not be done:", amountOf(each))}</p>
      ${each.waits.length > 0 && html`<div class="waits"><${Waits} waits=${each.waits} /></div>`}`,
    )}
    ${orders.length > 0 && html`<${Orders} orders=${orders} />`}</section>`;
}

export function WhatIfRoutes() {
  const [work, setWork] = useState([]);
  const [without, setWithout] = useState([]);
  const [more, setMore] = useState([]);
  const [hours, setHours] = useState(null); // as they are
  const [outcome, setOutcome] = useState(null);
  const kept = useAnswer(may("settings.view") && "/v1/settings/store").value;
  const parts = useAnswer(may("part.view") && "/v1/parts?fields=id,name&sort=name&limit=1000").value ?? [];
  const { faults, submit, busy } = useSending(async () => {
    setOutcome(null);
    setOutcome(
      await post("/v1/plan/what-if", {
        ...(work.length && {
          builds: { parts: work.map((/** @type {any} */ { position, ...part }) => ({ ...part, ...(position && { position }) })) },
        }),
        withoutPrinterIds: without,
        morePrinters: more,
        ...(hours && { workingHours: hours }),
      }),
    );
  });
  // A change of the form leaves an answer to another question behind.
  const changing = (/** @type {(...given: any[]) => any} */ set) => (/** @type {any} */ value) => {
    setOutcome(null);
    set(value);
  };
  const printers = ids.value.map((/** @type {string} */ id) => viewOf(id).peek().printer);
  // The plan of builds names its fields as /v2/builds does.
  const named = faults.map((/** @type {any} */ fault) => ({ ...fault, path: fault.path.replace(/^parts\[/, "builds.parts[") }));
  return html`<div class="settings whatif"><a class="back" href="/console/queue">${t("← Queue")}</a><h1>${t("What if …")}</h1>
    <form class="form" onSubmit=${submit} noValidate>
      ${
        may("part.view") &&
        html`<fieldset><legend>${t("More work")}</legend><${Rows} list=${work} onChange=${changing(setWork)} start=${MORE_WORK} word=${t("More of a part")} noun=${t("part")} draw=${(
          row,
          i,
          set,
        ) => html`
        <${Pick} label=${t("Part")} path=${`builds.parts[${i}].partId`} faults=${named} value=${row.partId} options=${parts} onChange=${(partId) => set({ partId })} />
        <${NumberField} label=${t("Copies")} path=${`builds.parts[${i}].quantity`} faults=${named} value=${row.quantity} min="1" max="500" onChange=${(quantity) => set({ quantity })} />
        <${Field} label=${t("Priority")} path=${`builds.parts[${i}].position`} faults=${named}><select value=${row.position} onChange=${(event) => set({ position: event.target.value })}><option value="">${t("Normal")}</option><option value="front">${t("Next")}</option></select></${Field}>`} /></fieldset>`
      }
      <fieldset><legend>${t("More printers")}</legend><${Rows} list=${more} onChange=${changing(setMore)} start=${MORE_PRINTERS} word=${t("More of a kind")} noun=${t("printers")} draw=${(
        row,
        i,
        set,
      ) => html`
        <${Pick} label=${t("Like")} path=${`morePrinters[${i}].like`} faults=${named} value=${row.like} options=${printers} onChange=${(like) => set({ like })} />
        <${NumberField} label=${t("How many")} path=${`morePrinters[${i}].count`} faults=${named} value=${row.count} min="1" max="100" onChange=${(count) => set({ count })} />`} /></fieldset>
      <fieldset><legend>${t("Fewer printers")}</legend><${Rows} list=${without} onChange=${changing(setWithout)} start="" word=${t("Without one")} noun=${t("printer")} draw=${(
        row,
        i,
      ) => html`
        <${Pick} label=${t("Without")} path=${`withoutPrinterIds[${i}]`} faults=${named} value=${row} options=${printers} onChange=${(id) => changing(setWithout)(without.map((/** @type {any} */ each, /** @type {any} */ j) => (j === i ? id : each)))} />`} /></fieldset>
      <${Check} label=${t("Other working hours")} hint=${t("than those of the store's settings")} checked=${hours !== null} onChange=${(on) => changing(setHours)(on ? (kept?.workingHours ?? USUAL) : null)} />
      ${hours && html`<${Hours} hours=${hours} onChange=${changing(setHours)} faults=${named} zone=${kept?.timezone} />`}
      <p class="acts"><button class="primary" disabled=${busy}>${t("Simulate")}</button></p>
    </form>
    ${outcome && html`<${Outcome} ...${outcome} ...${hours && { workingHoursFrom: null }} />`}</div>`;
}
