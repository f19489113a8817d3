// The queue, what prints, and what ended within a day.
import { batch, signal } from "@preact/signals";
import { all, get, may } from "./api.js";
import { isFarmShown } from "./changes.js";

export const ENDED = ["Completed", "Failed", "Cancelled"];
const SHOWN = "Pending,Assigned,Slicing,Sliced,Finalizing,Waiting-for-approval,Ready-for-printer,Sending-to-printer,Printing,Paused";
const FIELDS =
  "id,partBuildId,partId,partName,skuName,label,quantityIndex,quantityTotal,thumbnailUri,status,queueOrder,priority,assignedPrinterId,estimatedSeconds,estimatedGrams,errorMessage,createdAt,updatedAt,printingStartedAt,completedAt,retries,orderId,attempt,hidden,allowInsufficientMaterial";
const AT_ONCE = 100;
const MAX_MISSED = 300;
const DAY = 86_400_000;
const FAILED_FOR = 7; // days that a failed job waits to be looked at

/** Job by id. */
export const jobs = signal(new Map());

const moved = new Set();
let soon = 0;

/** @param {any[]} list */
const keep = (list) =>
  batch(() => {
    const next = new Map(jobs.value);
    for (const job of list) {
      next.set(job.id, job);
    }
    jobs.value = next;
  });

export async function loadJobs() {
  if (!may("queue.view")) {
    return;
  }
  const since = (/** @type {any} */ days) => `updatedAt.gte=${new Date(Date.now() - days * DAY).toISOString()}`;
  const found = await Promise.all([
    all(`/v1/print-jobs?status.in=${SHOWN}&fields=${FIELDS}`),
    get(`/v1/print-jobs?status=Failed&hidden=false&sort=updatedAt:desc&${since(FAILED_FOR)}&fields=${FIELDS}&limit=1000`),
    get(`/v1/print-jobs?status.in=${ENDED}&sort=updatedAt:desc&${since(1)}&fields=${FIELDS}&limit=1000`),
  ]);
  jobs.value = new Map(found.flat().map((job) => [job.id, job]));
}

/** Those that others changed: a new place or priority is no event. */
export async function loadChanged() {
  const newest = [...jobs.value.values()].reduce((last, job) => (job.updatedAt > last ? job.updatedAt : last), "");
  if (newest && may("queue.view")) {
    keep(await all(`/v1/print-jobs?updatedAt.gt=${newest}&fields=${FIELDS}`));
  }
}

/** Id of a job that is at a printer → the minute by which it is done at the 90th percentile; a tile is redrawn only when that minute changes. */
export const promised = signal(new Map());

export async function loadPromised() {
  if (may("queue.view")) {
    const list = await all("/v1/print-jobs?status.in=Sending-to-printer,Printing,Paused&promisedBy.isNull=false&fields=id,promisedBy");
    promised.value = new Map(list.map((job) => [job.id, `${job.promisedBy.slice(0, 16)}Z`]));
  }
}

/**
 * Gives jobs other places before the farm has confirmed it; answers what they had.
 * @param {any} places
 */
export function putIn(places) {
  const before = new Map();
  keep(
    [...places]
      .filter(([id]) => jobs.value.has(id))
      .map(([id, queueOrder]) => {
        before.set(id, { was: jobs.value.get(id).queueOrder, is: queueOrder });
        return { ...jobs.value.get(id), queueOrder };
      }),
  );
  return before;
}

/**
 * Takes that back, but for what has changed since.
 * @param {any} before
 */
export function putBack(before) {
  keep(
    [...before]
      .filter(([id, { is }]) => jobs.value.get(id)?.queueOrder === is)
      .map(([id, { was }]) => ({ ...jobs.value.get(id), queueOrder: was })),
  );
}

/**
 * What a move alone says of a job.
 * @param {Job} job
 * @param {{ status: any, assignedPrinterId: any, attempt: any, at: any }} given1
 */
const after = (job, { status, assignedPrinterId, attempt, at }) => ({
  ...job,
  status,
  assignedPrinterId,
  attempt,
  updatedAt: at,
  errorMessage: null,
  printingStartedAt: status === "Pending" ? null : status === "Printing" ? (job.printingStartedAt ?? at) : job.printingStartedAt,
  completedAt: status === "Completed" ? at : null,
});

/**
 * Keeps a move of a job; one that is not known, is back in the queue or has failed is read again, with all that moved at about that time.
 * @param {any} move
 */
export function noteMove(move) {
  const known = jobs.peek().get(move.printJobId);
  if (known && move.at >= known.updatedAt && move.status !== "Failed" && move.status !== "Pending") {
    keep([after(known, move)]);
    return;
  }
  moved.add(move.printJobId);
  if (isFarmShown()) {
    clearTimeout(soon);
    soon = setTimeout(reload, 200);
  }
}

/** Reads what moved while no view showed it. */
export const catchUp = () => (moved.size > MAX_MISSED ? (moved.clear(), loadJobs()) : reload()).catch(() => {});

async function reload() {
  const wanted = [...moved];
  moved.clear();
  for (let i = 0; i < wanted.length; i += AT_ONCE) {
    keep(await get(`/v1/print-jobs?id.in=${wanted.slice(i, i + AT_ONCE).join(",")}&fields=${FIELDS}`).catch(() => []));
  }
}

export function forgetJobs() {
  clearTimeout(soon);
  moved.clear();
  jobs.value = promised.value = new Map();
}

/**
 * The job that a printer's state tells of.
 * @param {PrinterState | undefined} state
 */
export const jobOf = (state) => (state?.job?.jobId ? jobs.value.get(state.job.jobId) : undefined);
