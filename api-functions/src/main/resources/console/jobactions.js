// What people do with jobs of the queue: what can be taken back is done at once and has an undo, the rest is confirmed first.
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { may, patch } from "./api.js";
import { reason } from "./requests.js";
import { confirm, isRepeated } from "./confirm.js";
import { ids, viewOf } from "./farm.js";
import { duration, many } from "./format.js";
import { LOW, waits } from "./groups.js";
import { Icon } from "./icons.js";
import { jobs, loadJobs } from "./jobs.js";
import { say } from "./toast.js";
import { fileName } from "./looks.js";

const NORMAL = 100;
const MAX_JOBS = 1000; // in one request
const AT_PRINTER = ["Sending-to-printer", "Printing", "Paused"];
const MAX_LOSSES = 5;

/** The ids of the selected jobs. */
export const chosen = signal(new Set());

const PATH = "/v1/print-jobs";
const reorder = (updates) => patch(`${PATH}/bulk-reorder`, { updates });
const by = (path) => (list) => patch(`${PATH}/${path}`, { printJobIds: list.map((job) => job.id) });
const prioritize = (priority) => (list) => reorder(list.map((job) => ({ printJobId: job.id, priority })));

/** `send` gets jobs as they were; so does `undo`, where the scheduler can take it back. */
const ACTIONS = {
  approve: { word: "Approve", icon: "check", needs: "queue.manage", always: true, of: (job) => job.status === "Waiting-for-approval", done: "approved", send: by("approve") },
  retry: { word: "Retry", icon: "retry", needs: "queue.manage", always: true, of: (job) => job.status === "Failed", done: "queued again", send: by("retry") },
  front: { word: "Print next", icon: "front", needs: "queue.override", of: waits, done: "moved to the front", send: by("move-to-queue-front"), undo: (list) => reorder(list.map((job) => ({ printJobId: job.id, newQueueOrder: job.queueOrder }))) },
  later: { word: "Only when idle", icon: "later", needs: "queue.override", of: (job) => waits(job) && job.priority !== LOW, done: "printed only when a printer is idle", send: prioritize(LOW), undo: prioritize(NORMAL) },
  sooner: { word: "Normal priority", icon: "sooner", needs: "queue.override", of: (job) => waits(job) && job.priority === LOW, done: "back to normal priority", send: prioritize(NORMAL), undo: prioritize(LOW) },
  dismiss: { word: "Dismiss", icon: "hide", needs: "job.delete", of: (job) => job.status === "Failed", done: "dismissed", send: by("clear") },
  cancel: { word: "Cancel", icon: "cross", needs: "queue.manage", of: (job) => job.status !== "Failed", done: "cancelled", send: by("cancel"), undo: by("retry"), asks: (list) => list.some((job) => AT_PRINTER.includes(job.status)) },
};

export const actions = (list) => Object.entries(ACTIONS).filter(([, action]) => may(action.needs) && list.some(action.of)).map(([name]) => name);

/** Sends jobs, the last ones first, for of several requests each puts its jobs to the front; returns how many were changed. */
async function inPages(send, list) {
  let count = 0;
  for (let end = list.length; end > 0; end -= MAX_JOBS) {
    count += (await send(list.slice(Math.max(0, end - MAX_JOBS), end))).length;
  }
  return count;
}

async function takeBack(undo, list) {
  try {
    const count = await inPages(undo, list);
    say(count === list.length ? "Undone" : `Undone for ${count} of ${many(list.length, "job")}: the others moved on`, count < list.length);
  } catch (problem) {
    say(`Not undone: ${reason(problem)}`, true);
  }
  await loadJobs().catch(() => {});
}

async function act(name, list) {
  const { of, send, undo, asks, done } = ACTIONS[name];
  const fitting = list.filter(of).sort((a, b) => a.queueOrder - b.queueOrder);
  const back = undo && !asks?.(fitting) ? () => takeBack(undo, fitting) : null;
  try {
    const count = await inPages(send, fitting);
    const rest = fitting.length - count;
    say(`${many(count, "job")} ${done}${rest ? `; ${many(rest, "job")} had moved on and ${rest === 1 ? "was" : "were"} left as ${rest === 1 ? "it is" : "they are"}` : ""}`, rest > 0, back);
    chosen.value = new Set();
  } catch (problem) {
    say(reason(problem), true);
  }
  await loadJobs().catch(() => {});
}

const lostSeconds = (job, state) => (job?.printingStartedAt ? (Date.now() - Date.parse(job.printingStartedAt)) / 1000 : ((job?.estimatedSeconds ?? 0) * (state?.job?.percent ?? 0)) / 100);

/** What is lost when a print ends early: pairs of a name and a value. */
export function lossOf(job, { printer, state }) {
  const part = job?.partName ?? fileName(state?.job?.fileName);
  return [["Part", part], ["Printer", printer.name], ["Printed", part && state?.job && `${Math.floor(state.job.percent)} %`], ["Time lost", part && duration(lostSeconds(job, state))]].filter(([, value]) => value);
}

const viewOfJob = (job) => (ids.value.includes(job.assignedPrinterId) ? viewOf(job.assignedPrinterId).peek() : null);

/** The question before prints are cancelled, from what is known when it is asked. */
function question(list) {
  const ends = list.map((job) => jobs.peek().get(job.id) ?? job).filter((job) => AT_PRINTER.includes(job.status));
  const seconds = ends.reduce((sum, job) => sum + lostSeconds(job, viewOfJob(job)?.state), 0);
  const keep = { word: ends.length === 1 ? "Cancel the print" : `Cancel ${many(list.length, "job")}`, keep: "Keep printing" };
  if (list.length === 1) {
    const view = viewOfJob(ends[0]);
    return { title: "Cancel this print?", facts: view ? lossOf(ends[0], view) : [["Part", ends[0].partName], ["Time lost", duration(seconds)]], ...keep };
  }
  const lines = ends.slice(0, MAX_LOSSES).map((job) => [viewOfJob(job)?.printer.name ?? "A printer", job.partName]);
  return { title: `Cancel ${many(list.length, "job")}, ${ends.length} of them on printers?`, facts: [...lines, ...(ends.length > MAX_LOSSES ? [["", `and ${ends.length - MAX_LOSSES} more`]] : []), ["Time lost", duration(seconds)]], ...keep, word: `Cancel ${many(list.length, "job")}` };
}

/** The button of an action; with words where there is room for them. */
export function Act({ name, list, words }) {
  const { word, icon, asks, always } = ACTIONS[name];
  const press = (event) => {
    if (isRepeated(event)) {
      return;
    }
    asks?.(list) ? confirm({ ...question(list.filter(ACTIONS[name].of)), act: () => act(name, list) }) : act(name, list);
  };
  return html`<button class="quiet" onClick=${press} aria-label=${words ? undefined : `${word}: ${list[0].partName}`} title=${word}><${Icon} name=${icon} />${(words || always) && word}</button>`;
}
