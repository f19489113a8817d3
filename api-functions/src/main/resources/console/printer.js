// One printer: its state, commands, filament, prints and maintenance.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { useFarmShown } from "./changes.js";
import { may, patch, post } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { bedsCleared, ids, loaded, mayClear, refreshSoon, showFarm, viewOf } from "./farm.js";
import { Camera } from "./camera.js";
import { Chart, heaterName } from "./chart.js";
import { Controls } from "./controls.js";
import { helpFor, helpPage } from "./faulthelp.js";
import { Icon } from "./icons.js";
import { lossOf } from "./jobactions.js";
import { jobOf, jobs } from "./jobs.js";
import { now, stale } from "./live.js";
import { picture } from "./pictures.js";
import { PrinterSettings } from "./printersettings.js";
import { hasPrint, secondsLeft } from "./progress.js";
import { route } from "./route.js";
import { say } from "./toast.js";
import { Slots } from "./slots.js";
import { ConfirmButton } from "./confirm.js";
import { duration, moment, timeOfDay } from "./format.js";
import { fileName, LOOKS, matter } from "./looks.js";
import { jobStatus } from "./names.js";
import { many, t } from "./texts.js";

const SOON = 2500; // when what a press brought about is asked for again

/**
 * @param {string} path
 * @param {any} method
 * @param {any} body
 * @param {any} done
 */
const tell = (path, method, body, done) => attempt(() => method(path, body), done).then(() => refreshSoon());

/** @param {{ id: string, view: any, stops: any }} props */
function Orders({ id, view: { printer, state, kind }, stops }) {
  const jobId = state?.job?.jobId;
  const manage = jobId && may("queue.manage");
  const ofJob = (/** @type {string} */ path, /** @type {any} */ done) =>
    tell(`/v1/print-jobs/${path}`, patch, { printJobIds: [jobId] }, done);
  const command = (/** @type {string} */ name, /** @type {any} */ done) =>
    tell("/v1/printer-commands/send", post, { ids: [id], command: { command: name } }, done);
  const runs = ["printing", "preparing", "paused"].includes(state?.status);
  return html`<div class="controls">
    ${
      kind === "clear" &&
      mayClear() &&
      html`<button class="clear" disabled=${stale.value} onClick=${async () => {
        const reason = (await bedsCleared([id])).get(id);
        say(reason ?? t("{name}: bed cleared", { name: printer.name }), Boolean(reason));
      }}>${t("Mark bed as clear")}</button>`
    }
    ${manage && state.status === "printing" && html`<button onClick=${() => ofJob("pause", t("Pause sent"))}><${Icon} name="pause" />${t("Pause")}</button>`}
    ${manage && state.status === "paused" && html`<button onClick=${() => ofJob("resume", t("Resume sent"))}><${Icon} name="play" />${t("Resume")}</button>`}
    ${manage && runs && html`<${ConfirmButton} word=${t("Cancel the print")} ask=${() => ({ title: t("Cancel this print?"), keep: t("Keep printing"), facts: lossOf(jobOf(state), { printer, state }) })} act=${() => ofJob("cancel", t("Cancelled"))} />`}
    ${
      may("maintenance.edit") &&
      html`<button onClick=${() => tell("/v1/maintenance/mode", patch, { printerIds: [id], enabled: !printer.isInMaintenance }, printer.isInMaintenance ? t("Back in service") : t("In maintenance"))}>
      ${printer.isInMaintenance ? t("End maintenance") : t("Maintenance")}</button>`
    }
    ${may("printer.control") && html`<button onClick=${() => tell("/v1/printers/enabled", patch, { ids: [id], enabled: !printer.enabled }, printer.enabled ? t("Disabled: it gets no more jobs") : t("Enabled"))}>${printer.enabled ? t("Disable") : t("Enable")}</button>`}
    ${may("printer.control") && printer.isOnline && stops.includes("emergency-stop") && html`<${ConfirmButton} word=${t("Emergency stop")} ask=${() => ({ title: t("Stop {name} immediately?", { name: printer.name }), word: t("Stop now"), facts: lossOf(jobOf(state), { printer, state }) })} kind="stop" act=${() => command("emergency-stop", t("Emergency stop sent"))} />`}
  </div>`;
}

/** @param {{ id: string, temperatures: any, online: boolean }} props */
function Heaters({ id, temperatures, online }) {
  const rows = Object.entries(temperatures);
  return (
    rows.length > 0 &&
    html`<section><h2>${t("Temperatures")}</h2><dl class="facts across">${rows.map(([name, { actual, target }]) => html`<div key=${name}><dt>${heaterName(name)}</dt><dd>${Math.round(actual)} °C ${target > 0 && html`<span class="count">${t("of {target} °C", { target: Math.round(target) })}</span>`}</dd></div>`)}</dl>
    <${Chart} id=${id} online=${online} /></section>`
  );
}

/**
 * What is wrong, what to try, and what can be done about it from here.
 * @param {{ id: string, view: any, stops: any }} props
 */
function Faults({ id, view: { printer, state, kind }, stops }) {
  const reach = !printer.isOnline && state?.connectionReason;
  const errors = [...(reach ? [{ message: reach, code: null }] : []), ...(state?.errors ?? [])];
  if (!errors.length && kind !== "fault") {
    return null;
  }
  const failed = [...jobs.value.values()]
    .filter((job) => job.status === "Failed" && !job.hidden && job.assignedPrinterId === id)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0];
  const control = may("printer.control");
  return html`<section class="faults"><h2>${t("What is wrong")}</h2><ul class="errors">${errors.map((error) => {
    const { says, tries } = helpFor(error.message);
    return html`<li key=${error.code ?? error.message}><b>${says}</b> ${error.code && html`<span class="count">${error.code}</span>`}<p>${tries}</p></li>`;
  })}${failed?.errorMessage && !errors.some(({ message }) => message === failed.errorMessage) && html`<li><b>${t("{partName} failed: {errorMessage}", { partName: failed.partName, errorMessage: failed.errorMessage })}</b></li>`}
    ${printer.quarantinedAt && html`<li><b>${t("In quarantine: {quarantineReason}", { quarantineReason: printer.quarantineReason })}</b><p>${t("It gets no jobs until somebody marks it as fixed.")}</p></li>`}</ul>
    <p class="controls">
      ${failed && may("queue.manage") && html`<button onClick=${() => tell("/v1/print-jobs/retry", patch, { printJobIds: [failed.id] }, t("{partName} is queued again", { partName: failed.partName }))}><${Icon} name="retry" />${t("Retry {partName}", { partName: failed.partName })}</button>`}
      ${control && printer.isOnline && stops.includes("firmware-restart") && state?.status === "error" && html`<${ConfirmButton} word=${t("Restart firmware")} ask=${() => ({ title: t("Restart the firmware of {name}?", { name: printer.name }), note: t("A print that is running there is lost.") })} act=${() => tell("/v1/printer-commands/send", post, { ids: [id], command: { command: "firmware-restart" } }, t("Restart sent"))} />`}
      ${control && printer.quarantinedAt && html`<button onClick=${() => tell("/v1/printers/quarantine", patch, { ids: [id], quarantined: false }, t("{name} is released", { name: printer.name }))}><${Icon} name="check" />${t("Mark as fixed")}</button>`}
      <a class="button" href=${helpPage(printer.provider)} target="_blank">${t("Help for this printer")}</a></p></section>`;
}

/** @param {{ id: string, printer: Printer }} props */
function Lifetime({ id, printer }) {
  const stats = useAnswer(`/v1/printers/stats?ids=${id}`).value?.[0];
  return html`<section><h2>${t("Record")}</h2><dl class="facts across">
    <div><dt>${t("30 days")}</dt><dd>${stats ? html`${t("{completed} printed, {failed} failed", { completed: stats.completed, failed: stats.failed })}${stats.successRate === null ? "" : ` (${Math.round(stats.successRate * 100)} %)`}` : "…"}</dd></div>
    ${stats && html`<div><dt>${t("Busy")}</dt><dd>${stats.isComplete ? t("{hours} h, {grams} g", { hours: Math.round(stats.busyHours), grams: Math.round(stats.grams) }) : t("{hours} h, at least {grams} g", { hours: Math.round(stats.busyHours), grams: Math.round(stats.grams) })}</dd></div>`}
    <div><dt>${t("In total")}</dt><dd>${many(printer.lifetimeJobCount, "{count} job, {hours} h", "{count} jobs, {hours} h", { hours: Math.round(printer.lifetimePrintHours) })}</dd></div></dl></section>`;
}

/** @param {{ id: string, moved: any }} props */
function History({ id, moved }) {
  const printed =
    useAnswer(
      may("queue.view") &&
        `/v2/printers/${id}/print-history?limit=20&fields=id,partName,status,completedAt,cancelledAt,updatedAt,actualSeconds,errorMessage,label`,
      { version: moved },
    ).value?.data ?? [];
  const done = printed.filter((/** @type {Job} */ job) => job.status === "Completed").length;
  return (
    printed.length > 0 &&
    html`<section><h2>${t("Printed here")} <span class="count">${t("{done} of the last {count} succeeded", { done, count: printed.length })}</span></h2><ul class="rows">${printed.map(
      (/** @type {Job} */ job) => html`<li class="row history" key=${job.id} data-status=${job.status}>
    <div class="what"><h3>${job.partName}</h3><p>${[job.label !== job.partName && job.label, job.errorMessage].filter(Boolean).join(" · ")}</p></div>
    <p class="status">${jobStatus(job.status)}${job.actualSeconds ? ` · ${duration(job.actualSeconds)}` : ""}</p>
    <p class="status">${moment(job.completedAt ?? job.cancelledAt ?? job.updatedAt)}</p></li>`,
    )}</ul></section>`
  );
}

/** What of a printer's record people change, and in which words. */
const DEEDS = {
  isInMaintenance: (/** @type {any} */ value) => (value ? t("Maintenance began") : t("Maintenance ended")),
  enabled: (/** @type {any} */ value) => (value ? t("Enabled") : t("Disabled")),
  confirmedReady: (/** @type {any} */ value) => value && t("Bed marked as clear"),
  continuousPrint: (/** @type {any} */ value) => (value ? t("Continuous printing on") : t("Continuous printing off")),
  name: (/** @type {any} */ value) => t("Called {value}", { value }),
  tags: (/** @type {any} */ value) => t("Tags: {list}", { list: value.join(", ") || t("none") }),
  modelName: (/** @type {any} */ value) => t("Model: {value}", { value }),
  nozzleDiameter: (/** @type {any} */ value) => t("Nozzle: {value} mm", { value }),
  metadata: () => t("Its address or secrets were changed"),
};

/**
 * Who did what to it, out of the audit log; without that, when it was last in maintenance.
 * @param {{ id: string, printer: Printer }} props
 */
function Log({ id, printer }) {
  const noted =
    useAnswer(may("audit.view") && `/v1/audit-logs?entityType=printer&entityId=${id}&sort=createdAt:desc&limit=100`, {
      version: printer.updatedAt,
    }).value ?? [];
  const deeds = noted
    .flatMap((each) =>
      Object.entries(DEEDS)
        .filter(([field]) => each.before && each.after && field in each.after)
        .map(([field, say]) => ({
          key: each.id + field,
          at: each.createdAt,
          who: each.sessionName ?? each.keyName,
          what: say(each.after[field]),
        })),
    )
    .filter(({ what }) => what)
    .slice(0, 30);
  const last = printer.lastMaintenanceOfflineAt;
  return (
    (deeds.length > 0 || last) &&
    html`<section><h2>${t("Maintenance log")} ${last && html`<span class="count">${t("last in maintenance {time}", { time: moment(last) })}</span>`}</h2>
    <ul class="rows">${deeds.map(({ key, at, who, what }) => html`<li class="row history" key=${key}><div class="what"><h3>${what}</h3></div><p class="status">${who}</p><p class="status">${moment(at)}</p></li>`)}</ul></section>`
  );
}

/** @param {{ id: string }} props */
function Sheet({ id }) {
  useFarmShown(showFarm);
  const can = useAnswer(`/v1/printers/${id}/capability`).value;
  const view = viewOf(id).value;
  const { printer, state, kind } = view;
  const job = jobOf(state);
  const left = state?.job ? secondsLeft(state, now.value) : null;
  const address = job?.thumbnailUri && picture(job.thumbnailUri).value;
  const { word, icon } = LOOKS[kind];
  const [moved, setMoved] = useState(printer.updatedAt);
  useEffect(() => {
    const timer = setTimeout(() => setMoved(printer.updatedAt), SOON);
    return () => clearTimeout(timer);
  }, [printer.updatedAt]);
  return html`<article class="printer" data-state=${kind}>
    <a class="back" href="/console/">${t("← Fleet")}</a>
    <header class="sheet tile">
      <span class="picture">${address ? html`<img src=${address} alt="" />` : html`<${Icon} name=${icon} />`}</span>
      <div class="title"><h1>${printer.name}</h1>
        <p class="state"><${Icon} name=${icon} />${word}</p>
        <p class="part">${[printer.vendorName, printer.modelName, t("{nozzleDiameter} mm", { nozzleDiameter: printer.nozzleDiameter }), ...printer.tags].filter(Boolean).join(" · ")}</p></div>
      ${matter(printer, state, kind) && html`<p class="matter">${matter(printer, state, kind)}</p>`}
      ${
        state?.job &&
        hasPrint(kind) &&
        html`<div class="progress"><p>${job?.partName ?? fileName(state.job.fileName)}</p><progress max="100" value=${state.job.percent} aria-label=${t("Progress")}></progress>
        <span class="figures"><b>${Math.floor(state.job.percent)} %</b>${state.job.totalLayers && html`<span>${t("layer {currentLayer}/{totalLayers}", { currentLayer: state.job.currentLayer ?? 0, totalLayers: state.job.totalLayers })}</span>`}
        ${left !== null && html`<span class="left">${state.status === "printing" ? t("{duration} left, until {time}", { duration: duration(left), time: timeOfDay(now.value + left * 1000) }) : t("{duration} left", { duration: duration(left) })}</span>`}</span></div>`
      }
      <${Orders} id=${id} view=${view} stops=${can?.machineCommands ?? []} />
    </header>
    <${Faults} id=${id} view=${view} stops=${can?.machineCommands ?? []} />
    <div class="halves"><div><${Camera} key=${`camera ${id}`} id=${id} name=${printer.name} /><${Heaters} key=${id} id=${id} online=${printer.isOnline} temperatures=${state?.temperatures ?? {}} /><${Slots} key=${`slots ${id}`} id=${id} reported=${state?.filamentSlots ?? []} tells=${Boolean(/** @type {any} */ (can)?.capability.filament?.setInfo)} />
      <${Lifetime} id=${id} printer=${printer} /></div>
      <div>${can && may("printer.control") && printer.isOnline && html`<${Controls} key=${id} id=${id} view=${view} can=${can} />`}</div></div>
    <${History} id=${id} moved=${moved} />
    <${Log} id=${id} printer=${printer} />
    ${may("printer.edit") && html`<${PrinterSettings} key=${`settings ${id}`} id=${id} />`}
  </article>`;
}

export function Printer() {
  const id = route.value.path.split("/")[1];
  return ids.value.includes(id)
    ? html`<${Sheet} key=${id} id=${id} />`
    : html`<p class="empty">${loaded.value ? t("There is no such printer.") : t("Loading the farm …")}</p>`;
}
