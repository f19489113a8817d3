// The queue: what needs somebody, what prints, and what waits, in its order and with the reason why.
import { useEffect, useState } from "preact/hooks";
import { computed, signal } from "@preact/signals";
import { html } from "./html.js";
import { get, may, patch } from "./api.js";
import { useAnswer } from "./answers.js";
import { ids, viewOf } from "./farm.js";
import { PausedQueue } from "./failures.js";
import { useKeptFocus } from "./focus.js";
import { Icon } from "./icons.js";
import { jobs, loadChanged, loadJobs } from "./jobs.js";
import { held, letGo, moveByKeys, moveByPointer, moving, told } from "./ordering.js";
import { withoutIds } from "./pieces.js";
import { picture } from "./pictures.js";
import { Promised, WaitsFor, usePromises } from "./promises.js";
import { ask, route } from "./route.js";
import { say } from "./shell.js";
import { Twice } from "./twice.js";
import { duration, many } from "./words.js";

const ATTENTION = ["Failed", "Waiting-for-approval"];
const LOW = 1000;
const LOOK_EVERY = 10_000;
const RATES_INTERVAL = 60_000;
const HOUR = 3_600_000;
const MAX_JOBS = 1000; // the farm moves so many jobs at once
const chosen = signal(new Set());

/** Jobs of one build in one state are one row: what is asked of one is asked of all. */
const rows = computed(() => {
  const groups = new Map();
  for (const job of jobs.value.values()) {
    if (job.status === "Completed" || job.status === "Cancelled" || job.hidden) {
      continue;
    }
    const key = `${job.partBuildId} ${job.status} ${job.priority} ${job.assignedPrinterId ?? ""}`;
    groups.has(key) ? groups.get(key).push(job) : groups.set(key, [job]);
  }
  const inOrder = (a, b) => a.queueOrder - b.queueOrder || (a.id < b.id ? -1 : 1);
  return [...groups].map(([key, list]) => ({ key, list: list.sort(inOrder), first: list[0] })).sort((a, b) => inOrder(a.first, b.first));
});

const waits = (job) => job.status === "Pending";

const SECTIONS = [
  { name: "Needs you", has: (job) => ATTENTION.includes(job.status) },
  { name: "On printers", has: (job) => !waits(job) && !ATTENTION.includes(job.status) },
  { name: "Waiting", has: (job) => waits(job) && job.priority !== LOW, moves: true },
  { name: "Waiting, when nothing else can print", has: (job) => waits(job) && job.priority === LOW, moves: true },
];

const ACTIONS = {
  approve: { word: "Approve", icon: "check", needs: "queue.manage", path: "approve", always: true, of: (job) => job.status === "Waiting-for-approval", done: "approved" },
  retry: { word: "Retry", icon: "retry", needs: "queue.manage", path: "retry", always: true, of: (job) => job.status === "Failed", done: "queued again" },
  front: { word: "To the front", icon: "front", needs: "queue.override", path: "move-to-queue-front", of: waits, done: "moved to the front" },
  later: { word: "Only when nothing else can print", icon: "later", needs: "queue.override", priority: LOW, of: (job) => waits(job) && job.priority !== LOW, done: "printed when nothing else can be" },
  sooner: { word: "As usual", icon: "sooner", needs: "queue.override", priority: 100, of: (job) => waits(job) && job.priority === LOW, done: "printed as usual" },
  dismiss: { word: "Dismiss", icon: "hide", needs: "job.delete", path: "clear", of: (job) => job.status === "Failed", done: "dismissed" },
  cancel: { word: "Cancel", icon: "cross", needs: "queue.manage", path: "cancel", of: (job) => job.status !== "Failed", done: "cancelled", asks: true },
};

async function act(name, list) {
  const { of, path, priority, done } = ACTIONS[name];
  const fitting = list.filter(of).sort((a, b) => a.queueOrder - b.queueOrder);
  let count = 0;
  try {
    // Of more than fit in one request the last go to the front first.
    for (let end = fitting.length; end > 0; end -= MAX_JOBS) {
      const printJobIds = fitting.slice(Math.max(0, end - MAX_JOBS), end).map((job) => job.id);
      const answer = await (priority
        ? patch("/v1/print-jobs/bulk-reorder", { updates: printJobIds.map((printJobId) => ({ printJobId, priority })) })
        : patch(`/v1/print-jobs/${path}`, { printJobIds }));
      count += answer.length;
    }
    const rest = fitting.length - count;
    say(`${many(count, "job")} ${done}${rest ? `; ${many(rest, "job")} had moved on and ${rest === 1 ? "was" : "were"} left as ${rest === 1 ? "it is" : "they are"}` : ""}`, rest > 0);
    chosen.value = new Set();
  } catch (problem) {
    say(problem.details?.[0]?.message ?? problem.message, true);
  }
  await loadJobs().catch(() => {});
}

/** With words where there is room for them. */
function Act({ name, list, words }) {
  const { word, icon, asks, always } = ACTIONS[name];
  const label = words ? undefined : list[0].partName;
  return asks
    ? html`<${Twice} word=${word} again=${`Cancel ${many(list.length, "job")}?`} icon=${icon} label=${label} kind="quiet" act=${() => act(name, list)} />`
    : html`<button class="quiet" onClick=${() => act(name, list)} aria-label=${label && `${word}: ${label}`} title=${word}><${Icon} name=${icon} />${(words || always) && word}</button>`;
}

const actions = (list) => Object.entries(ACTIONS).filter(([, action]) => may(action.needs) && list.some(action.of)).map(([name]) => name);

/** What a printer that fails a check is, or lacks. */
export const LACKS = {
  enabled: "Disabled",
  online: "Out of reach",
  "state-known": "In fault, or in an unknown state",
  available: "Busy with another job",
  ready: "Waits for its bed to be cleared",
  "profiles-configured": "Not set up for this file",
  "model-match": "Another model than the file was made for",
  "nozzle-match": "Another nozzle than the file was made for",
  "fits-volume": "Too small",
  "fits-area": "Off the bed",
  "temperature-limit": "Too hot",
  "extrudes": "Not a print",
  "slots-loaded": "No filament loaded",
  "tags-match": "Not what the job's tags ask for",
  "material-match": "Other materials loaded",
  "filament-profiles": "Its filaments cannot be sliced for",
  "in-maintenance": "In maintenance",
  quarantined: "In quarantine, since prints failed on it",
  "failed-there": "The job failed on it, and another can print it",
  "part-held": "Its part is on hold",
  "queue-paused": "The queue is paused",
  throttled: "Its start is held, so that not all heat at once",
};

/** Checks that a printer fails for now: the rest it fails until somebody changes something. */
export const FOR_NOW = new Set(["enabled", "online", "state-known", "available", "ready", "in-maintenance", "quarantined", "queue-paused", "throttled"]);

/** By the first check that it fails, preferably one that waiting does not mend: how many printers it keeps from the job. */
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
    const failed = checks.find((check) => !check.passed && !FOR_NOW.has(check.code)) ?? checks.find((check) => !check.passed);
    const name = ids.value.includes(id) ? viewOf(id).peek().printer.name : id;
    const label = failed ? (LACKS[failed.code] ?? `Not so: ${failed.label}`) : "Could take it, and will when its turn comes";
    nearness.set(label, !failed ? 2 * checks.length : checks.indexOf(failed) + (FOR_NOW.has(failed.code) ? checks.length : 0));
    reasons.has(label) || reasons.set(label, []);
    reasons.get(label).push({ name, explanation: failed?.explanation ?? "" });
  }
  const sorted = [...reasons].sort((a, b) => nearness.get(b[0]) - nearness.get(a[0]));
  return html`<div class="why">${sorted.length ? html`<ul>${sorted.map(([label, list]) => html`<li key=${label}><b>${label}</b> <span class="count">${many(list.length, "printer")}</span>
      <details><summary>Which</summary><ul>${list.map((each) => html`<li key=${each.name}><b>${each.name}</b> ${each.explanation}</li>`)}</ul></details></li>`)}</ul>` : "There is no printer in the farm."}</div>`;
}

/** What somebody should see of a job before it goes to its printer, or where it stands. */
function Details({ list, first }) {
  const [job, setJob] = useState(null);
  useEffect(() => {
    get(`/v1/print-jobs/${first.id}?include=partBuild`).then(setJob, (problem) => setJob({ problem: problem.message }));
  }, [first.id, first.updatedAt]);
  const file = job?.slicedGcodeUri && picture(job.slicedGcodeUri).value;
  const large = first.thumbnailUri && picture(first.thumbnailUri).value;
  if (!job || job.problem) {
    return html`<p class="why">${job?.problem ?? "Asking …"}</p>`;
  }
  const printer = ids.value.includes(job.assignedPrinterId) ? viewOf(job.assignedPrinterId).value : null;
  const loaded = (slot) => printer?.state?.filamentSlots.find((each) => each.amsIndex === slot.amsIndex && each.slotIndex === slot.slotIndex)?.materialType;
  const filaments = Object.entries(job.materialMapping ?? {}).map(([index, slot]) => `${Number(index) + 1} from ${String.fromCharCode(65 + Math.max(0, slot.amsIndex))}${slot.slotIndex + 1}${loaded(slot) ? ` (${loaded(slot)})` : ""}`);
  const facts = [
    ["Printer", printer && html`<a href=${`/console/printers/${job.assignedPrinterId}`}>${printer.printer.name}</a>`],
    ["Copies", list.length > 1 ? `${list.length}, one after the other` : first.quantityTotal > 1 && `${first.quantityIndex} of ${first.quantityTotal}`],
    ["Plate", job.extensions?.["3mf"]?.plateId],
    ["Filament", filaments.join(", ")],
    ["Takes", [job.estimatedSeconds && duration(job.estimatedSeconds), job.estimatedGrams && `${Math.round(job.estimatedGrams)} g`, job.layerCount && `${job.layerCount} layers`].filter(Boolean).join(", ")],
    ["First layer", [job.firstLayerNozzleTemperature && `nozzle ${Math.round(job.firstLayerNozzleTemperature)} °C`, job.firstLayerBedTemperature && `bed ${Math.round(job.firstLayerBedTemperature)} °C`].filter(Boolean).join(", ")],
    ["Parameters", job.parameterOverrides.map(({ name, value }) => `${name} = ${value}`).join(", ")],
    ["Asks for", Object.entries(job.requiredPrinterTags ?? {}).filter(([, value]) => value).map(([name, value]) => `${name} ${value}`).join(", ")],
    ["Why again", job.policyReason && withoutIds(job.policyReason)],
    ["Attempt", job.attempt > 0 && job.attempt + 1],
    ["Queued", new Date(job.createdAt).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })],
  ];
  return html`<div class="why details">${large && html`<img class="large" src=${large} alt=${`What ${first.partName} looks like`} />`}
    <dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
      ${file && html`<div><dt>File</dt><dd><a href=${file} download>G-code</a></dd></div>`}</dl></div>`;
}

/** Why the jobs of a row failed or came back, each reason once. */
function Reasons({ list }) {
  const counts = new Map();
  list.forEach(({ errorMessage }) => errorMessage && counts.set(errorMessage, (counts.get(errorMessage) ?? 0) + 1));
  return [...counts].slice(0, 3).map(([reason, count]) => html`<p class="problem" key=${reason}>${reason}${list.length > 1 ? ` (${many(count, "job")})` : ""}</p>`);
}

function Row({ row, section, mark, promises }) {
  const { key, list, first } = row;
  const [shown, show] = useState(first.status === "Waiting-for-approval" ? "details" : "");
  const address = first.thumbnailUri && picture(first.thumbnailUri).value;
  const printer = first.assignedPrinterId && ids.value.includes(first.assignedPrinterId) ? viewOf(first.assignedPrinterId).value : null;
  const percent = printer?.state?.job?.jobId === first.id ? Math.floor(printer.state.job.percent) : null;
  const toggle = (what) => () => show(shown === what ? "" : what);
  return html`<li class="row" data-key=${key} data-status=${first.status} data-held=${held.value?.key === key ? "yes" : undefined} data-drop=${mark}
      onKeyDown=${section && ((event) => moveByKeys(event, section(), key))}>
    ${section && html`<button class="handle quiet" aria-label=${`Move ${first.partName}`} aria-describedby="moving" aria-pressed=${held.value?.key === key} title="Drag, or Alt and arrow keys"
      onPointerDown=${(event) => moveByPointer(event, section, key)} onBlur=${() => held.value?.key === key && setTimeout(() => document.activeElement?.closest(".handle") || letGo())}><${Icon} name="grip" /></button>`}
    <input type="checkbox" aria-label=${`Select ${first.partName}`} checked=${list.every((job) => chosen.value.has(job.id))} onChange=${(event) => choose(list, event.target.checked)} />
    <span class="picture">${address ? html`<img src=${address} alt="" loading="lazy" />` : html`<${Icon} name="box" />`}</span>
    <div class="what"><h3 title=${first.partName}>${first.partName}</h3>
      <p>${[first.skuName, first.label !== first.partName && first.label, list.length > 1 ? many(list.length, "job") : first.quantityTotal > 1 && `${first.quantityIndex} of ${first.quantityTotal}`, first.estimatedSeconds && `${duration(first.estimatedSeconds)} each`, first.estimatedGrams && `${Math.round(first.estimatedGrams)} g`].filter(Boolean).join(" · ")}</p>
      <${Reasons} list=${list} />
    </div>
    <p class="status">${first.status.replaceAll("-", " ")}${printer && html`<span> on ${printer.printer.name}${percent !== null && ` · ${percent} %`}</span>`} <${Promised} list=${list.map(({ id }) => promises.get(id))} /></p>
    <div class="acts">
      ${waits(first) && html`<button class="quiet" aria-expanded=${shown === "why"} aria-label=${`Why ${first.partName} waits`} onClick=${toggle("why")}><${Icon} name="why" />Why</button>`}
      <button class="quiet" aria-expanded=${shown === "details"} aria-label=${`Details of ${first.partName}`} title="Details" onClick=${toggle("details")}><${Icon} name="info" /></button>
      ${actions(list).map((name) => html`<${Act} key=${name} name=${name} list=${list} />`)}
    </div>
    ${shown === "why" && html`<${WaitsFor} path=${`/v1/print-jobs/${first.id}/promise`} /><${Why} job=${first} />`}
    ${shown === "details" && html`<${Details} list=${list} first=${first} />`}
  </li>`;
}

function choose(list, on) {
  const next = new Set(chosen.value);
  list.forEach((job) => (on ? next.add(job.id) : next.delete(job.id)));
  chosen.value = next;
}

/** A heading that selects all below it, and the rows, which may be moved unless only some of them are shown. */
function Section({ name, list, has, moves, promises }) {
  const all = list.flatMap((row) => row.list);
  const seconds = all.reduce((sum, job) => sum + (job.estimatedSeconds ?? 0), 0);
  const some = all.some((job) => chosen.value.has(job.id));
  const every = some && all.every((job) => chosen.value.has(job.id));
  // The rows as they are when a key is pressed or the pointer lets go.
  const current = () => rows.peek().filter(({ first }) => has(first));
  const { key, before } = held.value ?? {};
  const mine = key && list.some((row) => row.key === key);
  const last = mine && before === null ? list.findLast((row) => row.key !== key)?.key : null;
  return html`<section><h2><label class="line"><input type="checkbox" checked=${every} ref=${(box) => box && (box.indeterminate = some && !every)} aria-label=${`Select all: ${name}`} onChange=${(event) => choose(all, event.target.checked)} />${name}</label>
      <span class="count">${many(all.length, "job")}${moves && seconds > 0 && ` · ${duration(seconds)} of printing`}</span></h2>
    <ul class="rows ${moves && may("queue.override") ? "movable" : ""}">${list.map((row) => html`<${Row} key=${row.key} row=${row} promises=${promises} section=${moves && may("queue.override") ? current : null}
      mark=${mine && row.key === before ? "before" : row.key === last ? "after" : undefined} />`)}</ul></section>`;
}

/** The success rate of the last 24 hours, by attempts: a failed print counts although its job was queued again. */
function Day() {
  const from = Math.floor(Date.now() / HOUR - 24) * HOUR;
  const all = useAnswer(`/v1/reports/failures?from=${new Date(from).toISOString()}`, { every: () => RATES_INTERVAL }).value?.all;
  const ended = all && all.completed + all.failed > 0;
  return html`<p class="day">${ended && html`Last 24 hours: <b>${many(all.completed, "print")}</b> completed, ${all.failed} failed (${Math.round(100 * all.successRate)} % succeeded) · `}<a href="/console/finished">Finished work</a> · <a href="/console/whatif">What if …</a> · <a href="/console/failures">Failures</a></p>`;
}

export function Queue() {
  const text = (route.value.query.get("text") ?? "").toLowerCase();
  const shown = rows.value.filter(({ first }) => !text || [first.partName, first.skuName, first.label, first.status].filter(Boolean).join(" ").toLowerCase().includes(text));
  const selected = [...chosen.value].map((id) => jobs.value.get(id)).filter(Boolean);
  useEffect(() => {
    const timer = setInterval(() => moving.peek() || loadChanged().catch(() => {}), LOOK_EVERY);
    return () => {
      clearInterval(timer);
      letGo();
    };
  }, []);
  useKeptFocus(".row");
  const promises = usePromises("/v1/print-jobs", "hidden=false");
  return html`<div class="queue">
    <h1 class="hidden">Queue</h1>
    <div class="filters"><label class="search"><${Icon} name="search" /><span class="hidden">Search jobs</span>
      <input type="search" placeholder="Part, SKU, label" value=${text} onInput=${(event) => ask({ text: event.target.value })} /></label><${Day} /></div>
    <${PausedQueue} />
    <p id="moving" hidden>Enter takes it, arrow keys move it, Enter drops it, Escape puts it back. Alt with an arrow key moves the row at once.</p>
    <p class="hidden" aria-live="assertive">${told.value}</p>
    ${SECTIONS.map(({ name, has, moves }) => {
      const list = shown.filter(({ first }) => has(first));
      return list.length > 0 && html`<${Section} key=${name} name=${name} list=${list} has=${has} moves=${moves && !text} promises=${promises} />`;
    })}
    ${!shown.length && html`<p class="empty">${text ? "No job matches." : "Nothing waits and nothing prints."}</p>`}
    ${selected.length > 0 && html`<div class="bulk" role="region" aria-label="Selected jobs"><span>${many(selected.length, "job")} selected</span>
      ${actions(selected).map((name) => html`<${Act} key=${name} name=${name} list=${selected} words=${true} />`)}
      <button class="quiet" onClick=${() => (chosen.value = new Set())}>Select none</button></div>`}
  </div>`;
}
