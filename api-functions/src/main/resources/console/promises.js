// When jobs and orders will be done, as the farm promises it.
import { html } from "./html.js";
import { ids, viewOf } from "./farm.js";
import { useAnswer } from "./requests.js";
import { moment, time } from "./format.js";
import { many, rich, t } from "./texts.js";

const EVERY = 30_000;
const SOON = 15_000; // while a plan is awaited

/**
 * Id → promise, of what a list of the interface holds; `filter` are parameters of it, `more` other fields.
 * @param {string} path
 * @param {any} filter
 * @param {string} [more]
 */
export function usePromises(path, filter, more = "") {
  const { value } = useAnswer(`${path}?fields=id,promisedAt,promisedBy${more}&promisedAt.isNull=false&${filter}`, { every: () => EVERY });
  return new Map((value ?? []).map((/** @type {any} */ each) => [each.id, each]));
}

/**
 * The latest of the promises, which is when all of it is done; nothing while one of them has none.
 * @param {{ list: any[] }} props
 */
export function Promised({ list }) {
  if (!list.length || list.some((/** @type {any} */ each) => !each)) {
    return null;
  }
  const last = (/** @type {string} */ name) =>
    list
      .map((/** @type {any} */ each) => each[name])
      .sort()
      .at(-1);
  const late = list.some((/** @type {any} */ each) => each.late);
  return html`<span class=${`promised ${late ? "problem" : ""}`} title=${t("Likely {time}", { time: moment(last("promisedAt")) })}>${late ? t("late: done by {time}", { time: time(last("promisedBy")) }) : t("done by {time}", { time: time(last("promisedBy")) })}</span>`;
}

/** @param {string} id */
const nameOf = (id) => (ids.value.includes(id) ? viewOf(id).peek().printer.name : t("a printer"));

/**
 * A wait as a sentence, of the facts that the farm gives.
 * @param {{ code: string, text: string, printerIds: any, until: any, jobsAhead: any }} given
 */
function sentence({ code, text, printerIds, until, jobsAhead }) {
  const [name] = (printerIds ?? []).map(nameOf);
  const at = until && time(until);
  switch (code) {
    case "printing":
      return t("{name} prints it until {at}.", { name, at });
    case "printerBusy":
      return t("{name} is busy until {at}.", { name, at });
    case "bed":
      return t("The bed of {name} is cleared by {at}.", { name, at });
    case "filament":
      return t("Somebody changes the filament of {name} by {at}.", { name: name ?? t("the printer"), at });
    case "throttled":
      return t("Its throttle group lets {name} start at {at}.", { name: name ?? t("the printer"), at });
    case "prints":
      return name ? t("It prints on {name} until {at}.", { name, at }) : t("It prints until {at}.", { at });
    case "queue":
      const printer = printerIds?.length === 1 ? name : t("the first free printer");
      return jobsAhead
        ? many(
            jobsAhead,
            "It goes to {printer}, after {count} other job, about {at}.",
            "It goes to {printer}, after {count} other jobs, about {at}.",
            { printer, at },
          )
        : t("It goes to {printer}, about {at}.", { printer, at });
    default:
      return text;
  }
}

/** @param {{ waits: any }} props */
export const Waits = ({ waits }) =>
  html`<ol>${waits.map((/** @type {any} */ wait) => html`<li key=${wait.code}>${sentence(wait)}</li>`)}</ol>`;

/**
 * When an order is done, or why that is not known and when it will be.
 * @param {{ order: Order }} props
 */
export function OrderPromise({ order }) {
  const { value } = useAnswer(`/v1/orders/${order.id}/promise`, {
    every: (found) => (found.promisedBy || found.waits.length || !(order.progress.queued + order.progress.printing) ? EVERY : SOON),
  });
  const { wanted, done, queued, printing } = order.progress;
  if (!value || (wanted > 0 && done >= wanted)) {
    return null;
  }
  if (value.waits.length) {
    return html`<div class="waits"><${Waits} waits=${value.waits} /><${Finish} promise=${value} /></div>`;
  }
  return html`<p class="planned" role="status">${value.promisedBy ? html`<${Finish} promise=${value} />` : queued + printing ? t("Being planned. The finish time is known within a minute.") : t("No finish time yet: its items are not queued.")}</p>`;
}

/**
 * The basis of the working hours of an estimate.
 * @param {{ from: any }} props
 */
export const HoursFrom = ({ from }) =>
  html`<p>${from === "confirmations" ? t("Working hours: learned from when beds are cleared.") : t("Working hours: from the settings.")}</p>`;

/** @param {{ promise: any }} props */
const Finish = ({ promise }) =>
  promise.promisedBy &&
  html`<p>${rich("Likely {time}, at the latest {latest} (90 %).", { time: html`<b>${time(promise.promisedAt)}</b>`, latest: html`<b>${time(promise.promisedBy)}</b>` })}</p><${HoursFrom} from=${promise.workingHoursFrom} />`;

/**
 * What a job waits for, one after the other, and when it is done.
 * @param {{ path: string }} props
 */
export function WaitsFor({ path }) {
  const { value } = useAnswer(path, { every: () => EVERY });
  return value?.waits.length > 0 && html`<div class="waits"><${Waits} waits=${value.waits} /><${Finish} promise=${value} /></div>`;
}
