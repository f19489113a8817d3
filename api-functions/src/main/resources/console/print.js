// From a file to jobs: what is on its way in, what the library has, and "print × n" of each.
import { useEffect } from "preact/hooks";
import { html } from "./html.js";
import { may, post } from "./api.js";
import { duration } from "./format.js";
import { Icon } from "./icons.js";
import { add, forget, loadParts, mayAdd, parts, uploads } from "./parts.js";
import { partType } from "./names.js";
import { Reading } from "./reading.js";
import { picture } from "./pictures.js";
import { ask, route } from "./route.js";
import { say } from "./toast.js";
import { PrintForm } from "./printform.js";
import { many, t } from "./texts.js";

/** @param {Part} part */
function facts(part) {
  const plates = part.metadata?.plates?.length ?? 0;
  const estimate = part.slicingEstimate;
  return [
    partType(part.type),
    plates > 1 && many(plates, "{count} plate", "{count} plates"),
    estimate?.estimatedPrintTimeSeconds && duration(estimate.estimatedPrintTimeSeconds),
    estimate?.totalWeightGrams && `${Math.round(estimate.totalWeightGrams)} g`,
    [...new Set(part.metadata?.filamentType ?? [])].join(", "),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @param {{ part: Part, open: boolean }} props */
function Part({ part, open }) {
  const address = part.thumbnailUri && picture(part.thumbnailUri).value;
  const { processingStatus, processing } = part;
  return html`<li class="row partrow" data-status=${processingStatus}>
    <span class="picture">${address ? html`<img src=${address} alt="" />` : html`<${Icon} name="box" />`}</span>
    <div class="what"><h3 title=${part.name}>${part.name}</h3>
      ${processingStatus && processing ? html`<p role="status"><${Reading} part=${part} /></p>` : html`<p>${facts(part)}</p>`}
      ${processingStatus === "failed" && html`<p class="problem">${processing?.error ?? t("The file could not be read")}</p>`}
    </div>
    <div class="acts">
      ${
        processingStatus === "failed" &&
        may("part.edit") &&
        html`<button class="quiet" onClick=${() =>
          post(`/v1/parts/${part.id}/retry-processing`).then(
            () => loadParts(),
            (problem) => say(problem.message, true),
          )}><${Icon} name="retry" />${t("Read again")}</button>`
      }
      ${!processingStatus && may("job.create") && html`<button aria-expanded=${open} onClick=${() => ask({ part: open ? "" : part.id })}>${t("Print …")}</button>`}
    </div>
    ${open && !processingStatus && html`<${PrintForm} part=${part} />`}
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
    <h1 class="hidden">${t("Print")}</h1>
    <h2 class="hidden">${t("Parts")}</h2>
    <div class="filters"><label class="search"><${Icon} name="search" /><span class="hidden">${t("Search parts")}</span>
      <input type="search" placeholder=${t("Part")} value=${text} onInput=${(event) => ask({ text: event.target.value })} /></label>
      ${
        mayAdd() &&
        html`<label class="file"><input type="file" multiple onChange=${(event) => {
          add(event.target.files);
          event.target.value = "";
        }} /><span><${Icon} name="add" />${t("Add files")}</span></label><span class="count">${t("or drop them anywhere")}</span>`
      }
    </div>
    ${
      uploads.value.length > 0 &&
      html`<ul class="rows uploads" aria-label=${t("Uploads")}>${uploads.value.map(
        (/** @type {any} */ upload) => html`<li class="row partrow" key=${upload.name}>
      <span class="picture"><${Icon} name="add" /></span>
      <div class="what"><h3>${upload.name}</h3>${upload.problem ? html`<p class="problem">${upload.problem}</p>` : html`<progress max="1" value=${upload.share} aria-label=${t("Upload of {name}", { name: upload.name })}></progress>`}</div>
      <div class="acts">${upload.problem && html`<button class="quiet" onClick=${() => forget(upload)} aria-label=${t("Dismiss {name}", { name: upload.name })}><${Icon} name="cross" /></button>`}</div></li>`,
      )}</ul>`
    }
    ${parts.value.length > 0 && html`<ul class="rows">${parts.value.map((/** @type {Part} */ part) => html`<${Part} key=${part.id} part=${part} open=${query.get("part") === part.id} />`)}</ul>`}
    ${!parts.value.length && !uploads.value.length && html`<p class="empty">${text ? t("No part matches.") : t("Drop a file here: 3MF, G-code, STL, STEP or OpenSCAD.")}</p>`}
  </div>`;
}
