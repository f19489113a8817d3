// What people do with jobs of the queue: what can be taken back is done at once and has an undo, the rest is confirmed first.
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { may, patch } from "./api.js";
import { reason } from "./requests.js";
import { confirm, isRepeated } from "./confirm.js";
import { ids, viewOf } from "./farm.js";
import { duration } from "./format.js";
import { LOW, waits } from "./groups.js";
import { Icon } from "./icons.js";
import { jobs, loadJobs } from "./jobs.js";
import { say } from "./toast.js";
import { fileName } from "./looks.js";
import { many, t } from "./texts.js";

const NORMAL = 100;
const MAX_JOBS = 1000; // in one request
const AT_PRINTER = ["Sending-to-printer", "Printing", "Paused"];
const MAX_LOSSES = 5;

/** The ids of the selected jobs. */
export const chosen = signal(new Set());

const PATH = "/v1/print-jobs";
/** @param {any} updates */
const reorder = (updates) => patch(`${PATH}/bulk-reorder`, { updates });
/** @param {string} path */
const by = (path) => (/** @type {any[]} */ list) => patch(`${PATH}/${path}`, { printJobIds: list.map((/** @type {Job} */ job) => job.id) });
/** @param {any} priority */
const prioritize = (priority) => (/** @type {any[]} */ list) =>
  reorder(list.map((/** @type {Job} */ job) => ({ printJobId: job.id, priority })));

/** @param {boolean} allowInsufficientMaterial */
const allow = (allowInsufficientMaterial) => (/** @type {Job[]} */ list) =>
  Promise.all(list.map(({ id }) => patch(`${PATH}/${id}`, { allowInsufficientMaterial })));

/**
 * @type {Record<string, any>} `send` gets jobs as they were; so does `undo`, where the scheduler can take it back. An action with `reason`
 * is offered beside the failed check of that code only.
 */
const ACTIONS = {
  approve: {
    word: t("Approve"),
    icon: "check",
    needs: "queue.manage",
    always: true,
    of: (/** @type {Job} */ job) => job.status === "Waiting-for-approval",
    done: (/** @type {number} */ count) => many(count, "{count} job approved", "{count} jobs approved"),
    send: by("approve"),
  },
  retry: {
    word: t("Retry"),
    icon: "retry",
    needs: "queue.manage",
    always: true,
    of: (/** @type {Job} */ job) => job.status === "Failed",
    done: (/** @type {number} */ count) => many(count, "{count} job queued again", "{count} jobs queued again"),
    send: by("retry"),
  },
  front: {
    word: t("Print next"),
    icon: "front",
    needs: "queue.override",
    of: waits,
    done: (/** @type {number} */ count) => many(count, "{count} job moved to the front", "{count} jobs moved to the front"),
    send: by("move-to-queue-front"),
    undo: (/** @type {any[]} */ list) =>
      reorder(list.map((/** @type {Job} */ job) => ({ printJobId: job.id, newQueueOrder: job.queueOrder }))),
  },
  later: {
    word: t("Only when idle"),
    icon: "later",
    needs: "queue.override",
    of: (/** @type {Job} */ job) => waits(job) && job.priority !== LOW,
    done: (/** @type {number} */ count) =>
      many(count, "{count} job printed only when a printer is idle", "{count} jobs printed only when a printer is idle"),
    send: prioritize(LOW),
    undo: prioritize(NORMAL),
  },
  sooner: {
    word: t("Normal priority"),
    icon: "sooner",
    needs: "queue.override",
    of: (/** @type {Job} */ job) => waits(job) && job.priority === LOW,
    done: (/** @type {number} */ count) => many(count, "{count} job back to normal priority", "{count} jobs back to normal priority"),
    send: prioritize(NORMAL),
    undo: prioritize(LOW),
  },
  spend: {
    word: t("Print with what is left"),
    icon: "check",
    needs: "job.edit",
    always: true,
    reason: "material-insufficient",
    of: (/** @type {Job} */ job) => waits(job) && !job.allowInsufficientMaterial,
    done: (/** @type {number} */ count) =>
      many(count, "{count} job may start on a spool with too little left", "{count} jobs may start on a spool with too little left"),
    send: allow(true),
    undo: allow(false),
  },
  dismiss: {
    word: t("Dismiss"),
    icon: "hide",
    needs: "job.delete",
    of: (/** @type {Job} */ job) => job.status === "Failed",
    done: (/** @type {number} */ count) => many(count, "{count} job dismissed", "{count} jobs dismissed"),
    send: by("clear"),
  },
  cancel: {
    word: t("Cancel"),
    icon: "cross",
    needs: "queue.manage",
    of: (/** @type {Job} */ job) => job.status !== "Failed",
    done: (/** @type {number} */ count) => many(count, "{count} job cancelled", "{count} jobs cancelled"),
    send: by("cancel"),
    undo: by("retry"),
    asks: (/** @type {any[]} */ list) => list.some((/** @type {Job} */ job) => AT_PRINTER.includes(job.status)),
  },
};

/**
 * The names of the actions that suit some of the jobs: those for a failed check, or those that need no reason.
 * @param {Job[]} list
 * @param {string} [code]
 */
export const actions = (list, code) =>
  Object.entries(ACTIONS)
    .filter(([, action]) => action.reason === code && may(action.needs) && list.some(action.of))
    .map(([name]) => name);

/**
 * Sends jobs, the last ones first, for of several requests each puts its jobs to the front; returns how many were changed.
 * @param {(...given: any[]) => any} send
 * @param {any[]} list
 */
async function inPages(send, list) {
  let count = 0;
  for (let end = list.length; end > 0; end -= MAX_JOBS) {
    count += (await send(list.slice(Math.max(0, end - MAX_JOBS), end))).length;
  }
  return count;
}

/**
 * @param {(...given: any[]) => any} undo
 * @param {any[]} list
 */
async function takeBack(undo, list) {
  try {
    const count = await inPages(undo, list);
    say(
      count === list.length
        ? t("Undone")
        : many(
            list.length,
            "Undone for {undone} of {count} job: the others have changed",
            "Undone for {undone} of {count} jobs: the others have changed",
            { undone: count },
          ),
      count < list.length,
    );
  } catch (problem) {
    say(t("Not undone: {reason}", { reason: reason(problem) }), true);
  }
  await loadJobs().catch(() => {});
}

/**
 * @param {string} name
 * @param {any[]} list
 */
async function act(name, list) {
  const { of, send, undo, asks, done } = ACTIONS[name];
  const fitting = list.filter(of).sort((/** @type {any} */ a, /** @type {any} */ b) => a.queueOrder - b.queueOrder);
  const back = undo && !asks?.(fitting) ? () => takeBack(undo, fitting) : null;
  try {
    const count = await inPages(send, fitting);
    const rest = fitting.length - count;
    const changed = done(count);
    say(
      rest
        ? `${changed}; ${many(rest, "{count} job had changed and was left as it is", "{count} jobs had changed and were left as they are")}`
        : changed,
      rest > 0,
      back,
    );
    chosen.value = new Set();
  } catch (problem) {
    say(reason(problem), true);
  }
  await loadJobs().catch(() => {});
}

/**
 * @param {Job} job
 * @param {PrinterState | undefined} state
 */
const lostSeconds = (job, state) =>
  job?.printingStartedAt
    ? (Date.now() - Date.parse(job.printingStartedAt)) / 1000
    : ((job?.estimatedSeconds ?? 0) * (state?.job?.percent ?? 0)) / 100;

/**
 * What is lost when a print ends early: pairs of a name and a value.
 * @param {Job} job
 * @param {{ printer: Printer, state: PrinterState | undefined }} given1
 */
export function lossOf(job, { printer, state }) {
  const part = job?.partName ?? fileName(state?.job?.fileName);
  return [
    [t("Part"), part],
    [t("Printer"), printer.name],
    [t("Printed"), part && state?.job && `${Math.floor(state.job.percent)} %`],
    [t("Time lost"), part && duration(lostSeconds(job, state))],
  ].filter(([, value]) => value);
}

/** @param {Job} job */
const viewOfJob = (job) => (ids.value.includes(job.assignedPrinterId) ? viewOf(job.assignedPrinterId).peek() : null);

/**
 * The question before prints are cancelled, from what is known when it is asked.
 * @param {any[]} list
 */
function question(list) {
  const ends = list
    .map((/** @type {Job} */ job) => jobs.peek().get(job.id) ?? job)
    .filter((/** @type {Job} */ job) => AT_PRINTER.includes(job.status));
  const seconds = ends.reduce((/** @type {number} */ sum, /** @type {Job} */ job) => sum + lostSeconds(job, viewOfJob(job)?.state), 0);
  const keep = {
    word: ends.length === 1 ? t("Cancel the print") : many(list.length, "Cancel {count} job", "Cancel {count} jobs"),
    keep: t("Keep printing"),
  };
  if (list.length === 1) {
    const view = viewOfJob(ends[0]);
    return {
      title: t("Cancel this print?"),
      facts: view
        ? lossOf(ends[0], view)
        : [
            [t("Part"), ends[0].partName],
            [t("Time lost"), duration(seconds)],
          ],
      ...keep,
    };
  }
  const lines = ends.slice(0, MAX_LOSSES).map((/** @type {Job} */ job) => [viewOfJob(job)?.printer.name ?? t("A printer"), job.partName]);
  return {
    title: many(
      list.length,
      "Cancel {count} job, {printing} of them on printers?",
      "Cancel {count} jobs, {printing} of them on printers?",
      { printing: ends.length },
    ),
    facts: [
      ...lines,
      ...(ends.length > MAX_LOSSES ? [["", t("and {count} more", { count: ends.length - MAX_LOSSES })]] : []),
      [t("Time lost"), duration(seconds)],
    ],
    ...keep,
    word: many(list.length, "Cancel {count} job", "Cancel {count} jobs"),
  };
}

/**
 * The button of an action; with words where there is room for them.
 * @param {{ name: string, list: any[], words: any }} props
 */
export function Act({ name, list, words }) {
  const { word, icon, asks, always } = ACTIONS[name];
  const press = (/** @type {any} */ event) => {
    if (isRepeated(event)) {
      return;
    }
    asks?.(list) ? confirm({ ...question(list.filter(ACTIONS[name].of)), act: () => act(name, list) }) : act(name, list);
  };
  return html`<button class="quiet" onClick=${press} aria-label=${words ? undefined : `${word}: ${list[0].partName}`} title=${word}><${Icon} name=${icon} />${(words || always) && word}</button>`;
}
