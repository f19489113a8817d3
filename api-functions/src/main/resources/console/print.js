// From a file to jobs: what is on its way in, what the library has, and "print × n" of each.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { may, post, send } from "./api.js";
import { Icon } from "./icons.js";
import { loadJobs } from "./jobs.js";
import { add, forget, loadParts, mayAdd, parts, uploads } from "./parts.js";
import { picture } from "./pictures.js";
import { ask, go, route } from "./route.js";
import { say } from "./shell.js";
import { duration, many } from "./words.js";

const STAGES = { fetch: "Fetched", "read-metadata": "Read", thumbnails: "Pictures", "split-plates": "Plates", estimate: "Estimate" };
const SIGNS = { done: "✓", skipped: "–", failed: "!", running: "…", pending: "" };

/** How far the reading of a file is, stage by stage. */
function Stages({ processing }) {
  return html`<ol class="stages">${processing.stages.map(({ key, status, error }) => html`<li key=${key} data-status=${status} title=${error}>${STAGES[key] ?? key} <b>${SIGNS[status]}</b></li>`)}</ol>`;
}

function facts(part) {
  const plates = part.metadata?.plates?.length ?? 0;
  const estimate = part.slicingEstimate;
  return [part.type, plates > 1 && many(plates, "plate"), estimate?.estimatedPrintTimeSeconds && duration(estimate.estimatedPrintTimeSeconds),
    estimate?.totalWeightGrams && `${Math.round(estimate.totalWeightGrams)} g`, [...new Set(part.metadata?.filamentType ?? [])].join(", ")].filter(Boolean).join(" · ");
}

function Field({ parameter, value, onInput }) {
  const label = parameter.label ?? parameter.name;
  const shown = value ?? parameter.value ?? parameter.default ?? "";
  if (parameter.options?.length) {
    return html`<label>${label}<select value=${shown} onChange=${(event) => onInput(parameter.options.find((option) => String(option.value) === event.target.value)?.value)}>
      ${parameter.options.map((option) => html`<option key=${option.value} value=${option.value}>${option.label ?? option.value}</option>`)}</select></label>`;
  }
  if (parameter.type === "boolean") {
    return html`<label class="line"><input type="checkbox" checked=${Boolean(shown)} onChange=${(event) => onInput(event.target.checked)} />${label}</label>`;
  }
  return html`<label>${label}<input type=${parameter.type === "number" ? "number" : "text"} value=${shown} min=${parameter.min} max=${parameter.max} step=${parameter.step ?? "any"}
    onInput=${(event) => onInput(parameter.type === "number" ? event.target.valueAsNumber : event.target.value)} /></label>`;
}

/** The wish for a part, with what it would queue, which the farm is asked as it is typed. */
function Wish({ part }) {
  const [quantity, setQuantity] = useState(1);
  const [label, setLabel] = useState("");
  const [front, setFront] = useState(false);
  const [plates, setPlates] = useState({});
  const [parameters, setParameters] = useState({});
  const [preview, setPreview] = useState(/** @type {{summary?: {jobCount: number}, problem?: string}} */ ({}));
  const [busy, setBusy] = useState(false);
  const attempt = useRef(crypto.randomUUID?.() ?? String(Math.random()));
  const known = part.metadata?.plates ?? [];
  const fields = (part.parameters ?? []).filter((parameter) => parameter.type !== "file");
  const wish = {
    parts: [{
      partId: part.id,
      quantity,
      ...(label.trim() && { label: label.trim() }),
      ...(front && { position: "front" }),
      ...(Object.keys(parameters).length && { parameters }),
      ...(Object.keys(plates).length && { plateQuantities: Object.fromEntries(known.map(({ id }) => [id, plates[id] ?? 1]).filter(([, count]) => count > 0)) }),
    }],
  };
  const text = JSON.stringify(wish);
  useEffect(() => {
    attempt.current = crypto.randomUUID?.() ?? String(Math.random());
    const timer = setTimeout(() => post("/v2/builds/preview", wish).then(setPreview, (problem) => setPreview({ problem: problem.details[0]?.message ?? problem.message })), 200);
    return () => clearTimeout(timer);
  }, [text]);
  const jobs = preview.summary?.jobCount;
  const seconds = part.slicingEstimate?.estimatedPrintTimeSeconds;
  const print = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await send("POST", "/v2/builds", wish, { "idempotency-key": attempt.current });
      say(`${part.name}: ${many(jobs ?? quantity, "job")} queued`);
      await loadJobs().catch(() => {});
      go("queue");
    } catch (problem) {
      setPreview({ problem: problem.details[0]?.message ?? problem.message });
      setBusy(false);
    }
  };
  return html`<form class="wish" onSubmit=${print}>
    <label class="copies">Copies<input name="copies" type="number" min="1" max="25000" required value=${quantity} onInput=${(event) => setQuantity(event.target.valueAsNumber || 1)} /></label>
    <label>Label<input value=${label} maxlength="200" placeholder="none" onInput=${(event) => setLabel(event.target.value)} /></label>
    ${known.length > 1 && html`<fieldset><legend>Plates in each copy</legend>${known.map(({ id, name }) => html`<label key=${id}>${name || `Plate ${id}`}
      <input type="number" min="0" max="1000" value=${plates[id] ?? 1} onInput=${(event) => setPlates({ ...plates, [id]: event.target.valueAsNumber || 0 })} /></label>`)}</fieldset>`}
    ${fields.map((parameter) => html`<${Field} key=${parameter.name} parameter=${parameter} value=${parameters[parameter.name]} onInput=${(value) => setParameters({ ...parameters, [parameter.name]: value })} />`)}
    ${may("queue.override") && html`<label class="line"><input type="checkbox" checked=${front} onChange=${(event) => setFront(event.target.checked)} />Before all others</label>`}
    <p class="outcome" role="status">${preview.problem ? html`<span class="problem">${preview.problem}</span>` : jobs ? `${many(jobs, "job")}${seconds ? ` · ${duration(seconds * quantity)} of printing` : ""}` : "…"}</p>
    <button class="primary" disabled=${busy || !jobs || Boolean(preview.problem)}>Print × ${quantity}</button>
  </form>`;
}

function Part({ part, open }) {
  const address = part.thumbnailUri && picture(part.thumbnailUri).value;
  const { processingStatus, processing } = part;
  return html`<li class="row partrow" data-status=${processingStatus}>
    <span class="picture">${address ? html`<img src=${address} alt="" />` : html`<${Icon} name="box" />`}</span>
    <div class="what"><h3 title=${part.name}>${part.name}</h3>
      ${processingStatus && processing ? html`<${Stages} processing=${processing} />` : html`<p>${facts(part)}</p>`}
      ${processingStatus === "failed" && html`<p class="problem">${processing?.error ?? "The file could not be read"}</p>`}
    </div>
    <div class="acts">
      ${processingStatus === "failed" && may("part.edit") && html`<button class="quiet" onClick=${() => post(`/v1/parts/${part.id}/retry-processing`).then(() => loadParts(), (problem) => say(problem.message, true))}><${Icon} name="retry" />Read again</button>`}
      ${!processingStatus && may("job.create") && html`<button aria-expanded=${open} onClick=${() => ask({ part: open ? "" : part.id })}>Print …</button>`}
    </div>
    ${open && !processingStatus && html`<${Wish} part=${part} />`}
  </li>`;
}

export function Print() {
  const { query } = route.value;
  const text = query.get("text") ?? "";
  useEffect(() => {
    const timer = setTimeout(() => loadParts(text).catch((problem) => say(problem.message, true)), text ? 200 : 0);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<div class="print">
    <h1 class="hidden">Print</h1>
    <h2 class="hidden">Parts</h2>
    <div class="filters"><label class="search"><${Icon} name="search" /><span class="hidden">Search parts</span>
      <input type="search" placeholder="Part" value=${text} onInput=${(event) => ask({ text: event.target.value })} /></label>
      ${mayAdd() && html`<label class="file"><input type="file" multiple onChange=${(event) => {
        add(event.target.files);
        event.target.value = "";
      }} /><span><${Icon} name="add" />Add files</span></label><span class="count">or drop them anywhere</span>`}
    </div>
    ${uploads.value.length > 0 && html`<ul class="rows uploads" aria-label="Uploads">${uploads.value.map((upload) => html`<li class="row partrow" key=${upload.name}>
      <span class="picture"><${Icon} name="add" /></span>
      <div class="what"><h3>${upload.name}</h3>${upload.problem ? html`<p class="problem">${upload.problem}</p>` : html`<progress max="1" value=${upload.share} aria-label=${`Sent of ${upload.name}`}></progress>`}</div>
      <div class="acts">${upload.problem && html`<button class="quiet" onClick=${() => forget(upload)} aria-label=${`Dismiss ${upload.name}`}><${Icon} name="cross" /></button>`}</div></li>`)}</ul>`}
    ${parts.value.length > 0 && html`<ul class="rows">${parts.value.map((part) => html`<${Part} key=${part.id} part=${part} open=${query.get("part") === part.id} />`)}</ul>`}
    ${!parts.value.length && !uploads.value.length && html`<p class="empty">${text ? "No part matches." : "Drop a file here: 3MF, G-code, STL, STEP or OpenSCAD."}</p>`}
  </div>`;
}
