// When jobs and orders will be done, as the farm promises it.
import { html } from "./html.js";
import { moment, useAnswer } from "./answers.js";
import { clock } from "./words.js";

const EVERY = 10_000;

/** Id → promise, of what a list of the interface holds; `filter` are parameters of it. */
export function usePromises(path, filter) {
  const { value } = useAnswer(`${path}?fields=id,promisedAt,promisedBy&promisedAt.isNull=false&${filter}`, { every: () => EVERY });
  return new Map((value ?? []).map((each) => [each.id, each]));
}

/** Today's times without the day. */
export const time = (instant) => (new Date(instant).toDateString() === new Date().toDateString() ? clock(instant) : moment(instant));

/** The latest of the promises, which is when all of it is done; nothing while one of them has none. */
export function Promised({ list }) {
  if (!list.length || list.some((each) => !each)) {
    return null;
  }
  const last = (name) => list.map((each) => each[name]).sort().at(-1);
  return html`<span class="promised" title=${`At even odds by ${moment(last("promisedAt"))}`}>done by ${time(last("promisedBy"))}</span>`;
}

/** What a job or an order waits for, one after the other, and when it is done. */
export function WaitsFor({ path }) {
  const { value } = useAnswer(path, { every: () => EVERY });
  return value?.waits.length > 0 && html`<div class="waits"><ol>${value.waits.map((wait) => html`<li key=${wait.code}>${wait.text}</li>`)}</ol>
    ${value.promisedBy && html`<p>Done by <b>${moment(value.promisedAt)}</b> at even odds, in nine of ten cases by <b>${moment(value.promisedBy)}</b>.</p>`}</div>`;
}
