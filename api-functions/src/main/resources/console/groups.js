// The rows of the queue: jobs of one build that are at the same point are one row.
import { t } from "./texts.js";

export const LOW = 1000;
const ATTENTION = ["Failed", "Waiting-for-approval"];

/** @param {Job} job */
export const waits = (job) => job.status === "Pending";

export const SECTIONS = [
  { name: t("Needs you"), has: (/** @type {Job} */ job) => ATTENTION.includes(job.status) },
  { name: t("On printers"), has: (/** @type {Job} */ job) => !waits(job) && !ATTENTION.includes(job.status) },
  { name: t("Waiting"), has: (/** @type {Job} */ job) => waits(job) && job.priority !== LOW, moves: true },
  { name: t("Only when idle"), has: (/** @type {Job} */ job) => waits(job) && job.priority === LOW, moves: true },
];

/**
 * @param {any} a
 * @param {any} b
 */
const inOrder = (a, b) => a.queueOrder - b.queueOrder || (a.id < b.id ? -1 : 1);

/**
 * The rows in the queue's order, each with its key, its jobs and the first of them.
 * @param {Job[]} jobs
 */
export function grouped(jobs) {
  const groups = new Map();
  for (const job of jobs) {
    if (job.status === "Completed" || job.status === "Cancelled" || job.hidden) {
      continue;
    }
    const section = SECTIONS.findIndex(({ has }) => has(job));
    const key = `${job.partBuildId} ${section}${ATTENTION.includes(job.status) ? ` ${job.status}` : ""}`;
    groups.has(key) ? groups.get(key).push(job) : groups.set(key, [job]);
  }
  return [...groups].map(([key, list]) => ({ key, list: list.sort(inOrder), first: list[0] })).sort((a, b) => inOrder(a.first, b.first));
}
