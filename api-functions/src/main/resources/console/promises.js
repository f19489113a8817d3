// When jobs and orders will be done, as the farm promises it.
import { html } from "./html.js";
import { ids, viewOf } from "./farm.js";
import { useAnswer } from "./requests.js";
import { many, moment, time } from "./format.js";

const EVERY = 30_000;
const SOON = 15_000; // while a plan is awaited

/** Id → promise, of what a list of the interface holds; `filter` are parameters of it, `more` other fields. */
export function usePromises(path, filter, more = "") {
  const { value } = useAnswer(`${path}?fields=id,promisedAt,promisedBy${more}&promisedAt.isNull=false&${filter}`, { every: () => EVERY });
  return new Map((value ?? []).map((each) => [each.id, each]));
}

/** The latest of the promises, which is when all of it is done; nothing while one of them has none. */
export function Promised({ list }) {
  if (!list.length || list.some((each) => !each)) {
    return null;
  }
  const last = (name) => list.map((each) => each[name]).sort().at(-1);
  const late = list.some((each) => each.late);
  return html`<span class=${`promised ${late ? "problem" : ""}`} title=${`Likely ${moment(last("promisedAt"))}`}>${late && "late: "}done by ${time(last("promisedBy"))}</span>`;
}

const nameOf = (id) => (ids.value.includes(id) ? viewOf(id).peek().printer.name : "a printer");

/** A wait as a sentence, of the facts that the farm gives. */
function sentence({ code, text, printerIds, until, jobsAhead }) {
  const [name] = (printerIds ?? []).map(nameOf);
  const at = until && time(until);
  switch (code) {
    case "printing":
      return `${name} prints it until ${at}.`;
    case "printerBusy":
      return `${name} is busy until ${at}.`;
    case "bed":
      return `The bed of ${name} is cleared by ${at}.`;
    case "filament":
      return `Somebody changes the filament of ${name ?? "the printer"} by ${at}.`;
    case "throttled":
      return `Its throttle group lets ${name ?? "the printer"} start at ${at}.`;
    case "prints":
      return `It prints${name ? ` on ${name}` : ""} until ${at}.`;
    case "queue":
      return `It goes to ${printerIds?.length === 1 ? name : "the first free printer"}${jobsAhead ? `, after ${many(jobsAhead, "other job")}` : ""}, about ${at}.`;
    default:
      return text;
  }
}

export const Waits = ({ waits }) => html`<ol>${waits.map((wait) => html`<li key=${wait.code}>${sentence(wait)}</li>`)}</ol>`;

/** When an order is done, or why that is not known and when it will be. */
export function OrderPromise({ order }) {
  const { value } = useAnswer(`/v1/orders/${order.id}/promise`, { every: (found) => (found.promisedBy || found.waits.length || !(order.progress.queued + order.progress.printing) ? EVERY : SOON) });
  const { wanted, done, queued, printing } = order.progress;
  if (!value || (wanted > 0 && done >= wanted)) {
    return null;
  }
  if (value.waits.length) {
    return html`<div class="waits"><${Waits} waits=${value.waits} /><${Finish} promise=${value} /></div>`;
  }
  return html`<p class="planned" role="status">${value.promisedBy ? html`<${Finish} promise=${value} />` : queued + printing ? "Being planned. The finish time is known within a minute." : "No finish time yet: its items are not queued."}</p>`;
}

const Finish = ({ promise }) => promise.promisedBy && html`<p>Likely <b>${time(promise.promisedAt)}</b>, at the latest <b>${time(promise.promisedBy)}</b> (90 %).</p>`;

/** What a job waits for, one after the other, and when it is done. */
export function WaitsFor({ path }) {
  const { value } = useAnswer(path, { every: () => EVERY });
  return value?.waits.length > 0 && html`<div class="waits"><${Waits} waits=${value.waits} /><${Finish} promise=${value} /></div>`;
}
