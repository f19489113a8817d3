// The queue: what needs somebody, what prints, and what waits, with the reason why.
import { useEffect, useState } from "preact/hooks";
import { computed, signal } from "@preact/signals";
import { html } from "./html.js";
import { get, may, patch } from "./api.js";
import { ids, viewOf } from "./farm.js";
import { Icon } from "./icons.js";
import { jobs, loadJobs } from "./jobs.js";
import { picture } from "./pictures.js";
import { ask, route } from "./route.js";
import { say } from "./shell.js";
import { Twice } from "./twice.js";
import { duration, many } from "./words.js";

const ATTENTION = ["Failed", "Waiting-for-approval"];
const chosen = signal(new Set());

/** Jobs of one build in one state are one row: what is asked of one is asked of all. */
const rows = computed(() => {
  const groups = new Map();
  for (const job of jobs.value.values()) {
    if (job.status === "Completed" || job.status === "Cancelled") {
      continue;
    }
    const key = `${job.partBuildId} ${job.status} ${job.assignedPrinterId ?? ""}`;
    groups.has(key) ? groups.get(key).push(job) : groups.set(key, [job]);
  }
  return [...groups].map(([key, list]) => ({ key, list: list.sort((a, b) => a.queueOrder - b.queueOrder), first: list[0] }))
    .sort((a, b) => b.first.priority - a.first.priority || a.first.queueOrder - b.first.queueOrder);
});

const SECTIONS = [
  { name: "Needs you", has: (job) => ATTENTION.includes(job.status) },
  { name: "On printers", has: (job) => job.assignedPrinterId && !ATTENTION.includes(job.status) },
  { name: "Waiting", has: (job) => !job.assignedPrinterId && !ATTENTION.includes(job.status) },
];

const ACTIONS = {
  approve: { word: "Approve", icon: "check", needs: "queue.manage", path: "approve", of: (job) => job.status === "Waiting-for-approval", done: "approved" },
  retry: { word: "Retry", icon: "retry", needs: "queue.manage", path: "retry", of: (job) => job.status === "Failed", done: "queued again" },
  front: { word: "To the front", icon: "front", needs: "queue.override", path: "move-to-queue-front", of: (job) => job.status === "Pending", done: "moved to the front" },
  cancel: { word: "Cancel", icon: "cross", needs: "queue.manage", path: "cancel", of: (job) => job.status !== "Failed", done: "cancelled", asks: true },
};

async function act(name, list) {
  const action = ACTIONS[name];
  const fitting = list.filter(action.of);
  try {
    await patch(`/v1/print-jobs/${action.path}`, { printJobIds: fitting.map((job) => job.id) });
    say(`${many(fitting.length, "job")} ${action.done}`);
    chosen.value = new Set();
  } catch (problem) {
    say(problem.details[0]?.message ?? problem.message, true);
  }
  await loadJobs().catch(() => {});
}

/** With words where there is room for them. */
function Act({ name, list, words }) {
  const { word, icon, asks } = ACTIONS[name];
  const label = words ? undefined : list[0].partName;
  return asks
    ? html`<${Twice} word=${word} again=${`Cancel ${many(list.length, "job")}?`} icon=${icon} label=${label} kind="quiet" act=${() => act(name, list)} />`
    : html`<button class="quiet" onClick=${() => act(name, list)} aria-label=${label && `${word}: ${label}`} title=${word}><${Icon} name=${icon} />${words && word}</button>`;
}

const actions = (list) => Object.entries(ACTIONS).filter(([, action]) => may(action.needs) && list.some(action.of)).map(([name]) => name);

/** What a printer that fails a check is, or lacks. */
const LACKS = {
  enabled: "Disabled",
  online: "Out of reach",
  "state-known": "In fault, or in an unknown state",
  available: "Busy with another job",
  ready: "Waits for its bed to be cleared",
  "profiles-configured": "Not set up for this file",
  "model-match": "Another model than the file was made for",
  "nozzle-match": "Another nozzle than the file was made for",
  "fits-volume": "Too small",
  "slots-loaded": "No filament loaded",
  "tags-match": "Not what the job's tags ask for",
  "material-match": "Other materials loaded",
  "filament-profiles": "Its filaments cannot be sliced for",
  "in-maintenance": "In maintenance",
  throttled: "Its start is held, so that not all heat at once",
};

/** The first check that each printer fails, and how many fail it. */
function Why({ job }) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    get(`/v1/print-jobs/${job.id}/matching-troubleshoot`).then(setFound, (problem) => setFound({ problem: problem.message }));
  }, [job.id]);
  if (!found) {
    return html`<p class="why">Asking the scheduler …</p>`;
  }
  if (found.problem) {
    return html`<p class="why problem">${found.problem}</p>`;
  }
  const reasons = new Map();
  const nearness = new Map();
  for (const [id, checks] of Object.entries(found.printers)) {
    const at = checks.findIndex((check) => !check.passed);
    const failed = checks[at];
    const name = ids.value.includes(id) ? viewOf(id).peek().printer.name : id;
    const label = failed ? (LACKS[failed.code] ?? `Not so: ${failed.label}`) : "Could take it, and will when its turn comes";
    nearness.set(label, at < 0 ? checks.length : at);
    reasons.has(label) || reasons.set(label, []);
    reasons.get(label).push({ name, explanation: failed?.explanation ?? "" });
  }
  const sorted = [...reasons].sort((a, b) => nearness.get(b[0]) - nearness.get(a[0]));
  return html`<div class="why">${sorted.length ? html`<ul>${sorted.map(([label, list]) => html`<li key=${label}><b>${label}</b> <span class="count">${many(list.length, "printer")}</span>
      <details><summary>Which</summary><ul>${list.map((each) => html`<li key=${each.name}><b>${each.name}</b> ${each.explanation}</li>`)}</ul></details></li>`)}</ul>` : "There is no printer in the farm."}</div>`;
}

function Row({ list, first }) {
  const [open, setOpen] = useState(false);
  const address = first.thumbnailUri && picture(first.thumbnailUri).value;
  const printer = first.assignedPrinterId && ids.value.includes(first.assignedPrinterId) ? viewOf(first.assignedPrinterId).value : null;
  const percent = printer?.state?.job?.jobId === first.id ? Math.floor(printer.state.job.percent) : null;
  const waits = first.status === "Pending";
  return html`<li class="row" data-status=${first.status}>
    <input type="checkbox" aria-label=${`Select ${first.partName}`} checked=${list.every((job) => chosen.value.has(job.id))} onChange=${(event) => {
      const next = new Set(chosen.value);
      list.forEach((job) => (event.target.checked ? next.add(job.id) : next.delete(job.id)));
      chosen.value = next;
    }} />
    <span class="picture">${address ? html`<img src=${address} alt="" />` : html`<${Icon} name="box" />`}</span>
    <div class="what"><h3 title=${first.partName}>${first.partName}</h3>
      <p>${[first.skuName, first.label, list.length > 1 ? many(list.length, "job") : first.quantityTotal > 1 && `${first.quantityIndex + 1} of ${first.quantityTotal}`, first.estimatedSeconds && `${duration(first.estimatedSeconds)} each`, first.estimatedGrams && `${Math.round(first.estimatedGrams)} g`].filter(Boolean).join(" · ")}</p>
      ${first.errorMessage && html`<p class="problem">${first.errorMessage}</p>`}
    </div>
    <p class="status">${first.status.replaceAll("-", " ")}${printer && html`<span> on ${printer.printer.name}${percent !== null && ` · ${percent} %`}</span>`}</p>
    <div class="acts">
      ${waits && html`<button class="quiet" aria-expanded=${open} onClick=${() => setOpen(!open)}><${Icon} name="why" />Why</button>`}
      ${actions(list).map((name) => html`<${Act} key=${name} name=${name} list=${list} />`)}
    </div>
    ${open && html`<${Why} job=${first} />`}
  </li>`;
}

/** How the day went. */
function Finished() {
  const ended = [...jobs.value.values()].filter((job) => job.status === "Completed" || job.status === "Failed");
  const done = ended.filter((job) => job.status === "Completed").length;
  return ended.length > 0 && html`<p class="day">Last 24 hours: <b>${many(done, "job")}</b> printed, ${ended.length - done} failed (${Math.round((100 * done) / ended.length)} % succeeded)</p>`;
}

export function Queue() {
  const text = (route.value.query.get("text") ?? "").toLowerCase();
  const shown = rows.value.filter(({ first }) => !text || [first.partName, first.skuName, first.label, first.status].filter(Boolean).join(" ").toLowerCase().includes(text));
  const selected = [...chosen.value].map((id) => jobs.value.get(id)).filter(Boolean);
  return html`<div class="queue">
    <h1 class="hidden">Queue</h1>
    <div class="filters"><label class="search"><${Icon} name="search" /><span class="hidden">Search jobs</span>
      <input type="search" placeholder="Part, SKU, label" value=${text} onInput=${(event) => ask({ text: event.target.value })} /></label></div>
    <${Finished} />
    ${SECTIONS.map(({ name, has }) => {
      const list = shown.filter(({ first }) => has(first));
      const count = list.reduce((sum, row) => sum + row.list.length, 0);
      return list.length > 0 && html`<section key=${name}><h2>${name} <span class="count">${many(count, "job")}</span></h2>
        <ul class="rows">${list.map((row) => html`<${Row} key=${row.key} list=${row.list} first=${row.first} />`)}</ul></section>`;
    })}
    ${!shown.length && html`<p class="empty">${text ? "No job matches." : "Nothing waits and nothing prints."}</p>`}
    ${selected.length > 0 && html`<div class="bulk" role="region" aria-label="Selected jobs"><span>${many(selected.length, "job")} selected</span>
      ${actions(selected).map((name) => html`<${Act} key=${name} name=${name} list=${selected} words=${true} />`)}
      <button class="quiet" onClick=${() => (chosen.value = new Set())}>Select none</button></div>`}
  </div>`;
}
