// One printer: what it does, what it is told, what is in it, and what it printed.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { get, may, patch, post } from "./api.js";
import { bedsCleared, ids, loaded, mayClear, refreshSoon, viewOf } from "./farm.js";
import { Icon } from "./icons.js";
import { jobOf } from "./jobs.js";
import { stale } from "./live.js";
import { picture } from "./pictures.js";
import { route } from "./route.js";
import { say } from "./shell.js";
import { Twice } from "./twice.js";
import { clock, color, duration, fileName, LOOKS, matter } from "./words.js";

const PART = /^(nozzle|bed|chamber)(\d*)$/;

async function tell(path, method, body, done) {
  try {
    await method(path, body);
    say(done);
    refreshSoon();
  } catch (problem) {
    say(problem.details?.[0]?.message ?? problem.message, true);
  }
}

function Controls({ id, view: { printer, state, kind } }) {
  const jobId = state?.job?.jobId;
  const manage = jobId && may("queue.manage");
  const control = may("printer.control");
  const ofJob = (path, done) => tell(`/v1/print-jobs/${path}`, patch, { printJobIds: [jobId] }, done);
  const command = (name, done) => tell("/v1/printer-commands/send", post, { ids: [id], command: { command: name } }, done);
  const runs = ["printing", "preparing", "paused"].includes(state?.status);
  return html`<div class="controls">
    ${kind === "clear" && mayClear() && html`<button class="clear" disabled=${stale.value} onClick=${async () => {
      const reason = (await bedsCleared([id])).get(id);
      say(reason ?? `${printer.name}: bed cleared`, Boolean(reason));
    }}>Bed cleared</button>`}
    ${manage && state.status === "printing" && html`<button onClick=${() => ofJob("pause", "Asked to pause")}><${Icon} name="pause" />Pause</button>`}
    ${manage && state.status === "paused" && html`<button onClick=${() => ofJob("resume", "Asked to resume")}><${Icon} name="play" />Resume</button>`}
    ${manage && runs && html`<${Twice} word="Cancel the print" again="Really cancel?" act=${() => ofJob("cancel", "Cancelled")} />`}
    ${may("maintenance.edit") && html`<button onClick=${() => tell("/v1/maintenance/mode", patch, { printerIds: [id], enabled: !printer.isInMaintenance }, printer.isInMaintenance ? "Back in service" : "In maintenance")}>
      ${printer.isInMaintenance ? "End maintenance" : "Maintenance"}</button>`}
    ${control && html`<button onClick=${() => tell("/v1/printers/enabled", patch, { ids: [id], enabled: !printer.enabled }, printer.enabled ? "Takes no more jobs" : "Takes jobs")}>${printer.enabled ? "Take no jobs" : "Take jobs"}</button>`}
    ${control && printer.isOnline && html`<${Twice} word="Emergency stop" again="Press again to stop now" kind="stop" act=${() => command("emergency-stop", "Emergency stop sent")} />`}
  </div>`;
}

function Heaters({ temperatures }) {
  const rows = Object.entries(temperatures);
  return rows.length > 0 && html`<section><h2>Temperatures</h2><dl class="facts">${rows.map(([name, { actual, target }]) => {
    const [, part, number] = PART.exec(name) ?? [null, name, ""];
    return html`<div key=${name}><dt>${part[0].toUpperCase() + part.slice(1)} ${number}</dt><dd>${Math.round(actual)} °C ${target > 0 && html`<span class="count">of ${Math.round(target)} °C</span>`}</dd></div>`;
  })}</dl></section>`;
}

function Slots({ slots }) {
  return slots.length > 0 && html`<section><h2>Filament</h2><dl class="facts">${slots.map((slot) => html`<div key=${`${slot.amsIndex}.${slot.slotIndex}`}>
    <dt>${String.fromCharCode(65 + Math.max(0, slot.amsIndex))}${slot.slotIndex + 1}</dt>
    <dd>${slot.loaded ? html`<i class="swatch" style=${{ "--color": color(slot.color) ?? "transparent" }}></i> ${slot.materialType ?? "unknown"}` : html`<span class="count">empty</span>`}</dd></div>`)}</dl></section>`;
}

function History({ id, moved }) {
  const [jobs, setJobs] = useState([]);
  useEffect(() => {
    if (may("queue.view")) {
      get(`/v1/printers/${id}/print-history?limit=20&fields=id,partName,status,completedAt,cancelledAt,updatedAt,actualSeconds,errorMessage,label`).then(setJobs, () => {});
    }
  }, [id, moved]);
  const done = jobs.filter((job) => job.status === "Completed").length;
  return jobs.length > 0 && html`<section><h2>Printed here <span class="count">${done} of the last ${jobs.length} succeeded</span></h2><ul class="rows">${jobs.map((job) => html`<li class="row history" key=${job.id} data-status=${job.status}>
    <div class="what"><h3>${job.partName}</h3><p>${[job.label, job.errorMessage].filter(Boolean).join(" · ")}</p></div>
    <p class="status">${job.status}${job.actualSeconds ? ` · ${duration(job.actualSeconds)}` : ""}</p>
    <p class="status">${new Date(job.completedAt ?? job.cancelledAt ?? job.updatedAt).toLocaleDateString()} ${clock(job.completedAt ?? job.cancelledAt ?? job.updatedAt)}</p></li>`)}</ul></section>`;
}

export function Printer() {
  const id = route.value.path.split("/")[1];
  if (!ids.value.includes(id)) {
    return html`<p class="empty">${loaded.value ? "There is no such printer." : "Loading the farm …"}</p>`;
  }
  const view = viewOf(id).value;
  const { printer, state, kind } = view;
  const job = jobOf(state);
  const address = job?.thumbnailUri && picture(job.thumbnailUri).value;
  const { word, icon } = LOOKS[kind];
  return html`<article class="printer" data-state=${kind}>
    <a class="back" href="/console/">← Fleet</a>
    <header class="sheet tile">
      <span class="picture">${address ? html`<img src=${address} alt="" />` : html`<${Icon} name=${icon} />`}</span>
      <div class="title"><h1>${printer.name}</h1>
        <p class="state"><${Icon} name=${icon} />${word}</p>
        <p class="part">${[printer.vendorName, printer.modelName, `${printer.nozzleDiameter} mm`, ...printer.tags].filter(Boolean).join(" · ")}</p></div>
      ${matter(printer, state, kind) && html`<p class="matter">${matter(printer, state, kind)}</p>`}
      ${state?.job && html`<div class="progress"><p>${job?.partName ?? fileName(state.job.fileName)}</p><progress max="100" value=${state.job.percent} aria-label="Progress"></progress>
        <span class="figures"><b>${Math.floor(state.job.percent)} %</b>${state.job.totalLayers && html`<span>layer ${state.job.currentLayer ?? 0}/${state.job.totalLayers}</span>`}
        ${state.job.remainingSeconds !== null && html`<span class="left">${duration(state.job.remainingSeconds)} left, until ${clock(Date.parse(state.at) + state.job.remainingSeconds * 1000)}</span>`}</span></div>`}
      <${Controls} id=${id} view=${view} />
    </header>
    ${state?.errors.length > 1 && html`<section><h2>Errors</h2><ul class="errors">${state.errors.map((error) => html`<li key=${error.code}>${error.message} <span class="count">${error.code}</span></li>`)}</ul></section>`}
    <div class="columns"><${Heaters} temperatures=${state?.temperatures ?? {}} /><${Slots} slots=${state?.filamentSlots ?? []} />
      <section><h2>Lifetime</h2><dl class="facts"><div><dt>Jobs</dt><dd>${printer.lifetimeJobCount}</dd></div><div><dt>Hours</dt><dd>${Math.round(printer.lifetimePrintHours)}</dd></div></dl></section></div>
    <${History} id=${id} moved=${printer.updatedAt} />
  </article>`;
}
