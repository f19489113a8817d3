// The queue, what prints, and what ended within a day.
import { batch, signal } from "@preact/signals";
import { all, get, may } from "./api.js";

export const ENDED = ["Completed", "Failed", "Cancelled"];
const SHOWN = "Pending,Assigned,Slicing,Sliced,Finalizing,Waiting-for-approval,Ready-for-printer,Sending-to-printer,Printing,Paused";
const FIELDS = "id,partBuildId,partId,partName,skuName,label,quantityIndex,quantityTotal,thumbnailUri,status,queueOrder,priority,assignedPrinterId,estimatedSeconds,estimatedGrams,errorMessage,createdAt,updatedAt,completedAt,retries,orderId,attempt";
const AT_ONCE = 100;

/** Job by id. */
export const jobs = signal(new Map());

const moved = new Set();
let soon = 0;

const keep = (list) => batch(() => {
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
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const [waiting, ended] = await Promise.all([
    all(`/v1/print-jobs?status.in=${SHOWN}&fields=${FIELDS}`),
    get(`/v1/print-jobs?status.in=${ENDED}&sort=updatedAt:desc&updatedAt.gte=${since}&fields=${FIELDS}&limit=1000`),
  ]);
  jobs.value = new Map([...waiting, ...ended].map((job) => [job.id, job]));
}

/** A job that moved is read again, with all that moved at about that time. */
export function noteMove({ printJobId }) {
  moved.add(printJobId);
  clearTimeout(soon);
  soon = setTimeout(reload, 200);
}

async function reload() {
  const wanted = [...moved];
  moved.clear();
  for (let i = 0; i < wanted.length; i += AT_ONCE) {
    keep(await get(`/v1/print-jobs?id.in=${wanted.slice(i, i + AT_ONCE).join(",")}&fields=${FIELDS}`).catch(() => []));
  }
}

/** The job that a printer's state tells of. */
export const jobOf = (state) => (state?.job?.jobId ? jobs.value.get(state.job.jobId) : undefined);
