// The order of what waits: rows of jobs are moved with a pointer or with keys, and stand where they stood if the farm refuses.
import { signal } from "@preact/signals";
import { patch } from "./api.js";
import { jobs, loadJobs, putBack, putIn } from "./jobs.js";
import { say } from "./toast.js";
import { many, t } from "./texts.js";

const MAX_JOBS = 1000; // the farm takes so many places at once
const EDGE = 70;
const SCROLL = 16;

/** The row that somebody holds: its key, the row that it would stand before (null: last), and the rows among which it moves. */
export const held = signal(null);

/** What those hear who do not see it. */
export const told = signal("");

/** Whether moves are on their way to the farm. */
export const moving = signal(0);

let chain = Promise.resolve();

/**
 * The places of all waiting jobs when these jobs come before `next`, or after `last`: the existing places, reassigned, so
 * that none is lost or taken twice and none lies behind those that the farm gives to new jobs.
 * @param {any} queue
 * @param {any[]} list
 * @param {any} next
 * @param {any} last
 */
export function dealt(queue, list, next, last) {
  const moved = new Set(list);
  const rest = queue.filter((/** @type {Job} */ job) => !moved.has(job));
  const at = next ? rest.indexOf(next) : rest.indexOf(last) + 1;
  const places = new Map();
  let before = -Infinity;
  [...rest.slice(0, at), ...list, ...rest.slice(at)].forEach((job, i) => {
    const place = Math.max(queue[i].queueOrder, before + 1);
    before = place;
    if (place !== job.queueOrder) {
      places.set(job.id, place);
    }
  });
  return places;
}

/**
 * Gives moved jobs the places that they had.
 * @param {any} before
 */
async function takeBack(before) {
  const updates = [...before].map(([printJobId, { was }]) => ({ printJobId, newQueueOrder: was }));
  try {
    for (let i = 0; i < updates.length; i += MAX_JOBS) {
      await patch("/v1/print-jobs/bulk-reorder", { updates: updates.slice(i, i + MAX_JOBS) });
    }
    say(t("Undone"));
  } catch (/** @type {any} */ problem) {
    say(t("Not undone: {message}", { message: problem.details?.[0]?.message ?? problem.message }), true);
  }
  await loadJobs().catch(() => {});
}

/**
 * Shows the new order at once, tells the farm, and puts all back where it is refused.
 * @param {any[]} list
 * @param {any} next
 * @param {any} last
 */
function move(list, next, last) {
  const queue = [...jobs.value.values()]
    .filter((job) => job.status === "Pending")
    .sort((a, b) => a.queueOrder - b.queueOrder || (a.id < b.id ? -1 : 1));
  const places = dealt(queue, list, next, last);
  if (!places.size) {
    return;
  }
  const first = next ? next.queueOrder : last.queueOrder + 1;
  // So many that they are not all named: the farm makes room for those that move.
  const wanted = places.size <= MAX_JOBS ? [...places] : list.map((/** @type {Job} */ job, /** @type {number} */ i) => [job.id, first + i]);
  const before = putIn(places);
  moving.value++;
  chain = chain.then(async () => {
    let arrived = 0;
    try {
      for (let i = 0; i < wanted.length; i += MAX_JOBS) {
        const updates = wanted
          .slice(i, i + MAX_JOBS)
          .map((/** @type {any} */ [printJobId, newQueueOrder]) => ({ printJobId, newQueueOrder }));
        arrived += (await patch("/v1/print-jobs/bulk-reorder", { updates })).length;
      }
      const name = list.length === 1 ? list[0].partName : many(list.length, "{count} job", "{count} jobs");
      say(
        [
          next ? t("{name} moved before {next}", { name, next: next.partName }) : t("{name} moved to the end", { name }),
          arrived < wanted.length && many(wanted.length - arrived, "{count} job no longer waited", "{count} jobs no longer waited"),
        ]
          .filter(Boolean)
          .join("; "),
        false,
        () => takeBack(before),
      );
    } catch (/** @type {any} */ problem) {
      putBack(before);
      say(t("Not moved, and put back: {message}", { message: problem.details?.[0]?.message ?? problem.message }), true);
    }
    moving.value--;
    if (!moving.value) {
      await loadJobs().catch(() => {});
    }
  });
}

/**
 * Moves the row with this key before another, or last where that is null.
 * @param {any[]} rows
 * @param {string} key
 * @param {any} before
 */
function place(rows, key, before) {
  const row = rows.find((/** @type {any} */ each) => each.key === key);
  const others = rows.filter((/** @type {any} */ each) => each.key !== key);
  const next = others.find((/** @type {any} */ each) => each.key === before);
  if (!row || (before !== null && !next)) {
    say(t("Not moved: it no longer waits where it did"), true);
  } else if (rows[rows.indexOf(row) + 1] !== next && others.length) {
    move(row.list, next?.first, others.at(-1).list.at(-1));
  }
}

/**
 * @param {any[]} rows
 * @param {string} key
 */
const others = (rows, key) => rows.filter((/** @type {any} */ each) => each.key !== key);

/**
 * Where a held row would come to stand among the others.
 * @param {any[]} rows
 * @param {{ key: string, before: any }} given1
 */
function spot(rows, { key, before }) {
  const rest = others(rows, key);
  return before === null ? rest.length : rest.findIndex((/** @type {any} */ each) => each.key === before);
}

/**
 * @param {any[]} rows
 * @param {string} key
 * @param {any} at
 * @param {string} word
 */
function hold(rows, key, at, word) {
  const rest = others(rows, key);
  const to = Math.min(Math.max(at, 0), rest.length);
  held.value = { key, before: rest[to]?.key ?? null };
  told.value = t("{word} {partName}, place {place} of {count}", {
    word,
    partName: rows.find((/** @type {any} */ each) => each.key === key).first.partName,
    place: to + 1,
    count: rows.length,
  });
}

export function letGo(word = t("Moved back")) {
  if (held.value) {
    held.value = null;
    told.value = word;
  }
}

/** @param {any[]} rows */
function drop(rows) {
  const { key, before } = held.value;
  letGo(t("Dropped"));
  place(rows, key, before);
}

/**
 * Keys of a row's handle, and with Alt those of the whole row.
 * @param {any} event
 * @param {any[]} rows
 * @param {string} key
 */
export function moveByKeys(event, rows, key) {
  const step = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1 })[event.key];
  const at = rows.findIndex((/** @type {any} */ each) => each.key === key);
  const handle = event.target.closest(".handle");
  const mine = held.value?.key === key;
  if (event.altKey && step) {
    const to = at + step;
    if (to >= 0 && to < rows.length) {
      place(rows, key, others(rows, key)[to]?.key ?? null);
      told.value = t("{partName}, place {place} of {count}", { partName: rows[at].first.partName, place: to + 1, count: rows.length });
    }
  } else if (handle && !mine && (event.key === "Enter" || event.key === " ")) {
    hold(rows, key, at, t("Arrow keys move it, Enter drops it, Escape puts it back: holding"));
  } else if (mine && (event.key === "Enter" || event.key === " ")) {
    drop(rows);
  } else if (mine && (step || event.key === "Home" || event.key === "End")) {
    hold(rows, key, step ? spot(rows, held.value) + step : event.key === "Home" ? 0 : rows.length, "");
  } else if (mine && event.key === "Escape") {
    letGo();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/**
 * The pointer takes the row, until it is let go; `current` answers the rows as they are then.
 * @param {any} event
 * @param {any} current
 * @param {string} key
 */
export function moveByPointer(event, current, key) {
  if (event.button !== 0) {
    return;
  }
  event.preventDefault();
  const list = event.currentTarget.closest("ul");
  let y = event.clientY;
  const look = () => {
    // Rows that are far from the screen are not in the document.
    const shown = /** @type {HTMLElement[]} */ ([...list.children]).filter((row) => row.dataset.key && row.dataset.key !== key);
    const under = shown.find((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    });
    const rest = others(current(), key);
    const at = rest.findIndex((/** @type {any} */ row) => row.key === (under ?? shown.at(-1))?.dataset.key);
    hold(current(), key, under ? at : at + 1, "");
  };
  const follow = (/** @type {any} */ next) => {
    y = next.clientY;
    current().some((/** @type {any} */ row) => row.key === key) ? look() : end(false);
  };
  const scroll = setInterval(() => {
    const by = y < EDGE ? -SCROLL : y > innerHeight - EDGE ? SCROLL : 0;
    if (by) {
      scrollBy(0, by);
      look();
    }
  }, 30);
  const end = (/** @type {any} */ dropped) => {
    clearInterval(scroll);
    removeEventListener("pointermove", follow);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", escape);
    dropped && held.value ? drop(current()) : letGo();
  };
  const up = () => end(true);
  const cancel = () => end(false);
  const escape = (/** @type {any} */ pressed) => pressed.key === "Escape" && end(false);
  addEventListener("pointermove", follow);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", escape);
  look();
}
