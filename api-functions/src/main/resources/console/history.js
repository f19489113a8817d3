// Temperatures of the printers whose chart is shown: the last hour from the server, then what each printer reports.
import { get } from "./api.js";

const MIN_INTERVAL = 10; // seconds between two samples
const HOUR = 3600;

/** Printer → its samples: the times in seconds, and of each heater its measured and target temperatures. */
const histories = new Map();

/**
 * Loads the last hour of a printer and keeps what it reports from then on.
 * @param {string} id
 */
export async function follow(id) {
  const { times, heaters } = await get(`/v1/printers/${id}/temperatures`);
  histories.set(id, {
    times: times.map((/** @type {any} */ time) => Date.parse(time) / 1000),
    heaters: new Map(heaters.map((/** @type {any} */ { name, actual, target }) => [name, { actual: [...actual], target: [...target] }])),
  });
}

/**
 * Adds what a printer reports, if its chart is shown and the last sample is not too near.
 * @param {string} id
 * @param {PrinterState | undefined} state
 */
export function note(id, state) {
  const history = histories.get(id);
  const reported = Object.entries(state?.temperatures ?? {});
  const time = Date.now() / 1000;
  if (!history || !reported.length || time - (history.times.at(-1) ?? 0) < MIN_INTERVAL) {
    return;
  }
  for (const [name] of reported) {
    if (!history.heaters.has(name)) {
      const unknown = () => history.times.map(() => null);
      history.heaters.set(name, { actual: unknown(), target: unknown() });
    }
  }
  history.times.push(time);
  for (const [name, { actual, target }] of history.heaters) {
    actual.push(state?.temperatures[name]?.actual ?? null);
    target.push(state?.temperatures[name]?.target ?? null);
  }
  while (history.times[1] < time - HOUR) {
    history.times.shift();
    for (const { actual, target } of history.heaters.values()) {
      actual.shift();
      target.shift();
    }
  }
}

/**
 * The heaters' names, and columns as a chart takes them: times, then the measured and the target temperature of each. A printer reports
 * changes only, so the last values hold until now while it is `online`.
 * @param {string} id
 * @param {boolean} online
 */
export function columns(id, online) {
  const history = histories.get(id);
  if (!history?.times.length) {
    return { names: [], data: [[]] };
  }
  const until = (/** @type {any} */ column) => (online ? [...column, column.at(-1)] : column);
  const names = [...history.heaters.keys()].sort();
  return {
    names,
    data: [
      online ? [...history.times, Date.now() / 1000] : history.times,
      ...names.flatMap((name) => {
        const { actual, target } = history.heaters.get(name);
        return [until(actual), until(target.map((/** @type {any} */ value) => value || null))];
      }),
    ],
  };
}

export const forgetHistory = () => histories.clear();
