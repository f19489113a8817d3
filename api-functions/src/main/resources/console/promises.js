// When jobs and orders will be done, as the farm promises it.
import { html } from "./html.js";
import { moment, useAnswer } from "./answers.js";
import { time } from "./words.js";

const EVERY = 10_000;

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

/** What a job or an order waits for, one after the other, and when it is done. */
export function WaitsFor({ path }) {
  const { value } = useAnswer(path, { every: () => EVERY });
  return value?.waits.length > 0 && html`<div class="waits"><ol>${value.waits.map((wait) => html`<li key=${wait.code}>${wait.text}</li>`)}</ol>
    ${value.promisedBy && html`<p>Likely <b>${time(value.promisedAt)}</b>, at the latest <b>${time(value.promisedBy)}</b> (90 %).</p>`}</div>`;
}
