// One part: what it is made of, what it takes to print it, and what it looks like.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch, post, send } from "./api.js";
import { addressOf, attempt, reason, useAnswer } from "./requests.js";
import { Icon } from "./icons.js";
import { Naming, Thumbnail } from "./components.js";
import { partType, slicer } from "./names.js";
import { Reading } from "./reading.js";
import { go } from "./route.js";
import { say } from "./toast.js";
import { ConfirmButton } from "./confirm.js";
import { decimals, duration, moment, money } from "./format.js";
import { color } from "./looks.js";
import { many, t } from "./texts.js";

const LOOK_EVERY = 2000;
const SOLID = /\.(stl|3mf)$/i;

/** What can be looked at, each way fetched when it is asked for. */
/** @type {Record<string, any>} */
const LOOKS = {
  solid: {
    word: t("Show in 3-D"),
    of: (/** @type {Part} */ part) =>
      may("file.download") && [part.meshUri, ...part.fileUris].find((uri) => SOLID.test(uri ?? "") && !/\.gcode\.3mf$/i.test(uri)),
    fetch: () => import("./solid.js").then((each) => each.Solid),
  },
  layers: {
    word: t("Show layers"),
    of: (/** @type {Part} */ part) =>
      may("file.download") && (/^gcode/.test(part.type) ? part.fileUris[0] : Object.values(part.gcodePlateUris ?? {})[0]),
    fetch: () => import("./layers.js").then((each) => each.Layers),
  },
};

/** @param {{ kind: any, part: Part }} props */
function Look({ kind, part }) {
  const [View, setView] = useState(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    LOOKS[kind].fetch().then(
      (/** @type {any} */ found) => setView(() => found),
      () => setProblem(t("The viewer could not be fetched; reload the page.")),
    );
  }, [kind]);
  return problem
    ? html`<p class="problem" role="alert">${problem}</p>`
    : View
      ? html`<${View} uri=${LOOKS[kind].of(part)} fallback=${html`<${Thumbnail} uri=${part.thumbnailUri} />`} />`
      : html`<p class="empty">${t("Loading the viewer …")}</p>`;
}

/** @param {string} uri */
const download = (uri) =>
  addressOf(uri).then(
    (address) => location.assign(address),
    (problem) => say(reason(problem), true),
  );

/**
 * The weight of an estimate; empty where the file does not say it.
 * @param {{ totalWeightGrams: number }} given
 */
const weight = ({ totalWeightGrams: grams }) => (grams === null ? "" : `${decimals(grams, 1)} g`);

/**
 * What one copy's filament costs, if the price of each is known by its first choice.
 * @param {Part} part
 */
function cents(part) {
  const first = (/** @type {number} */ index) =>
    /** @type {any} */ (part).materialAssignments
      ?.filter((/** @type {any} */ each) => each.index === index)
      .sort((/** @type {any} */ a, /** @type {any} */ b) => a.priority - b.priority)[0];
  const costs = part.slicingEstimate.materials.map((/** @type {any} */ { index, usedGrams }) => {
    const choice = first(index);
    const price = choice?.variant?.pricePer1000g ?? choice?.material?.pricePer1000g;
    return price === undefined || price === null || usedGrams === null ? NaN : (price * usedGrams) / 1000;
  });
  return costs.length ? costs.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each, 0) : NaN;
}

/** @param {{ part: Part, again: (...given: any[]) => any }} props */
function Estimate({ part, again }) {
  const estimate = part.slicingEstimate;
  const cost = estimate ? cents(part) : NaN;
  return html`<section><h2>${t("Estimate of one copy")}</h2>${
    estimate
      ? html`<dl class="facts"><div><dt>${t("Time")}</dt><dd>${duration(estimate.estimatedPrintTimeSeconds)}</dd></div>
        <div><dt>${t("Filament")}</dt><dd>${weight(estimate) || t("Not reported")}</dd></div>
        ${cost >= 0 && html`<div><dt>${t("Cost")}</dt><dd>${money(cost)} <span class="count">${t("of filament")}</span></dd></div>`}
        ${estimate.layerCount && html`<div><dt>${t("Layers")}</dt><dd>${estimate.layerCount}</dd></div>`}
        <div><dt>${t("Sliced")}</dt><dd>${moment(estimate.slicedAt)} <span class="count">${slicer(estimate.slicerVersion)}</span></dd></div></dl>`
      : html`<p class="count">${part.processingStatus === "processing" ? t("It is being read.") : t("None: the file contains no estimate, and no slicer could make one.")}</p>`
  }
    ${may("part.edit") && !part.processingStatus && html`<button class="quiet" onClick=${() => attempt(() => post(`/v1/parts/${part.id}/estimate`), "Re-estimating").then(again)}><${Icon} name="retry" />${t("Re-estimate")}</button>`}</section>`;
}

/** @param {{ part: Part }} props */
function Plates({ part }) {
  const estimates = new Map((part.slicingEstimate?.plates ?? []).map((/** @type {any} */ each) => [each.plateId, each]));
  const plates = part.metadata?.plates ?? [];
  return (
    plates.length > 0 &&
    html`<section><h2>${t("Plates")} <span class="count">${plates.length}</span></h2><ul class="rows">${plates.map(
      (/** @type {any} */ plate) => {
        const estimate = estimates.get(plate.id);
        return html`<li class="row partrow" key=${plate.id}><${Thumbnail} uri=${plate.thumbnailRenderedUri ?? plate.thumbnailUploadedUri} />
      <div class="what"><h3>${plate.name || t("Plate {id}", { id: plate.id })}</h3><p>${estimate ? [duration(estimate.estimatedPrintTimeSeconds), weight(estimate), estimate.layerCount && many(estimate.layerCount, "{count} layer", "{count} layers")].filter(Boolean).join(" · ") : plate.empty ? t("empty") : t("not sliced")}</p></div></li>`;
      },
    )}</ul></section>`
  );
}

/** @param {{ part: Part }} props */
function Materials({ part }) {
  const grams = new Map((part.slicingEstimate?.materials ?? []).map((/** @type {any} */ each) => [each.index, each.usedGrams]));
  const materials =
    part.materials ?? part.slicingEstimate?.materials.map((/** @type {any} */ each) => ({ ...each, type: each.materialType })) ?? [];
  return (
    materials.length > 0 &&
    html`<section><h2>${t("Materials")}</h2><dl class="facts">${materials.map(
      (/** @type {any} */ each) => html`<div key=${each.index}><dt>${each.index + 1}</dt>
    <dd><i class="swatch" style=${{ "--color": color(each.color) ?? "transparent" }}></i> ${[each.type, each.name].filter(Boolean).join(" · ") || t("any")}
      <span class="count"> ${[each.skip && t("not printed"), grams.get(each.index) != null && `${decimals(grams.get(each.index), 1)} g`].filter(Boolean).join(" · ")}</span></dd></div>`,
    )}</dl></section>`
  );
}

/** @param {{ part: Part }} props */
function Parameters({ part }) {
  return (
    part.parameters.length > 0 &&
    html`<section><h2>${t("Parameters")} <span class="count">${t("asked for when it is printed")}</span></h2><dl class="facts">${part.parameters.map(
      (/** @type {any} */ each) => html`<div key=${each.name}><dt>${each.label || each.name}</dt>
    <dd>${String(each.value ?? each.default ?? "–")} <span class="count">${[each.type, each.min !== undefined && t("from {min}", { min: each.min }), each.max !== undefined && t("to {max}", { max: each.max }), each.options?.length && many(each.options.length, "{count} choice", "{count} choices")].filter(Boolean).join(" ")}</span></dd></div>`,
    )}</dl></section>`
  );
}

/** @param {{ part: Part }} props */
function SoldAs({ part }) {
  const answer = useAnswer(may("sku.view") && `/v1/linked-parts?partId=${part.id}&include=sku&limit=100`);
  const [naming, setNaming] = useState(false);
  const linked = (answer.value ?? []).filter((each) => each.sku);
  return (
    may("sku.view") &&
    html`<section><h2>${t("SKUs")}</h2>
    ${linked.length > 0 && html`<ul class="rows">${linked.map((each) => html`<li class="row plain" key=${each.id}><div class="what"><h3><a href=${`/console/skus/${each.skuId}`}>${each.sku.title}</a></h3><p>${each.sku.sku}</p></div><p class="status">× ${each.quantity}</p></li>`)}</ul>`}
    ${answer.problem && html`<p class="problem">${answer.problem}</p>`}
    ${answer.value && !linked.length && html`<p class="count">${t("No SKU is made of it.")}</p>`}
    ${
      may("sku.create") &&
      (naming
        ? html`<${Naming} label=${t("SKU, as shops call it")} word=${t("Create")} value=${part.name} cancel=${() => setNaming(false)} act=${(skuName) => attempt(() => post("/v1/parts/create-skus", [{ partId: part.id, skuName }]), t("SKU {skuName} created", { skuName })).then((good) => good && (setNaming(false), answer.again()))} />`
        : html`<button class="quiet" onClick=${() => setNaming(true)}><${Icon} name="add" />${t("SKU of one copy")}</button>`)
    }</section>`
  );
}

/** @param {string} uri */
const nameOf = (uri) => decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));

/** @param {{ part: Part }} props */
function Files({ part }) {
  return html`<section><h2>${t("Files")}</h2><ul class="rows">${part.fileUris.map(
    (
      /** @type {string} */ uri,
      /** @type {number} */ i,
    ) => html`<li class="row plain" key=${uri}><div class="what"><h3>${nameOf(uri)}</h3><p title=${part.fileHashes[i]}>${part.uploadedAt ? t("since {time}", { time: moment(part.uploadedAt) }) : ""}</p></div>
    <div class="acts">${may("file.download") && html`<button class="quiet" onClick=${() => download(uri)} aria-label=${t("Download {file}", { file: nameOf(uri) })}>${t("Download")}</button>`}</div></li>`,
  )}</ul></section>`;
}

/**
 * The folder that it lies in, by the path from the top.
 * @param {{ type: any, record: any, path: string, again: (...given: any[]) => any }} props
 */
export function Placed({ type, record, path, again }) {
  const folders = useAnswer(may(`${type}.edit`) && `/v1/folders/by-type/${type}?limit=1000`);
  const by = new Map((folders.value ?? []).map((/** @type {any} */ each) => [each.id, each]));
  /** @type {(each: any, depth?: number) => string} */
  const line = (each, depth = 0) =>
    each && depth < 50 ? [line(by.get(each.parentId), depth + 1), each.name].filter(Boolean).join(" / ") : "";
  const [chosen, setChosen] = useState(record.folderId ?? "");
  return (
    by.size > 0 &&
    html`<label class="pick placed">${t("Folder")} <select value=${chosen} onChange=${(event) => setChosen(event.target.value)}>
    <option value="">${t("none")}</option>${[...by.values()]
      .map((each) => ({ id: each.id, name: line(each) }))
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select></label>
    ${chosen !== (record.folderId ?? "") && html`<button onClick=${() => attempt(() => patch(`${path}/${record.id}`, { folderId: chosen || null }), t("Moved")).then(again)}>${t("Move")}</button>`}`
  );
}

/** @param {{ part: Part, again: (...given: any[]) => any }} props */
function Trouble({ part, again }) {
  const { processingStatus, processing } = part;
  const retry = (/** @type {any} */ body) =>
    attempt(() => post(`/v1/parts/${part.id}/retry-processing`, body), t("It is read again")).then(again);
  return html`${processingStatus === "processing" && html`<p role="status"><${Reading} part=${part} /></p>`}
    ${
      processingStatus === "failed" &&
      html`<p class="problem" role="alert">${processing?.error ?? t("Its file could not be read.")}</p>
      ${may("part.edit") && html`<p class="acts"><button onClick=${() => retry({})}>${t("Read again")}</button>${part.type === "gcode" && html`<button onClick=${() => retry({ acceptIncomplete: true })}>${t("Read again, though it ends early")}</button>`}</p>`}`
    }
    ${part.heldAt && html`<p class="problem">${t("On hold since {time}: {heldReason}", { time: moment(part.heldAt), heldReason: part.heldReason })} ${may("part.edit") && html`<button onClick=${() => attempt(() => patch("/v1/parts/hold", { ids: [part.id], held: false }), t("{name} is released", { name: part.name })).then(again)}>${t("Release")}</button>`}</p>`}
    ${processing?.warnings?.map((/** @type {any} */ warning) => html`<p class="warning" key=${warning}><${Icon} name="alert" />${warning}</p>`)}
    ${part.meshError && html`<p class="warning"><${Icon} name="alert" />${t("No mesh could be made of it: {meshError}", { meshError: part.meshError })}</p>`}`;
}

/**
 * Records that use it are named by ids alone.
 * @param {string} id
 */
const remove = (id) =>
  send("DELETE", `/v1/parts/${id}`).catch((problem) => {
    throw /linkedPart/.test(problem.message) ? new Error(t("SKUs are made of it: take it out of them first")) : problem;
  });

/** @param {{ id: string }} props */
export function Part({ id }) {
  const [naming, setNaming] = useState(false);
  const [shown, setShown] = useState("");
  const prices = may("material.view") ? "&include=materialAssignments.material,materialAssignments.variant" : "";
  const {
    value: part,
    problem,
    again,
  } = useAnswer(`/v1/parts/${id}?${prices}`, { every: (found) => (found.processingStatus === "processing" ? LOOK_EVERY : 0) });
  if (!part) {
    return html`<p class="empty">${problem || t("Loading …")}</p>`;
  }
  const plates = part.metadata?.plates?.length ?? 0;
  return html`<article class="piece">
    <a class="back" href=${`/console/parts${part.folderId ? `?folder=${part.folderId}` : ""}`}>${t("← Parts")}</a>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="sheet"><${Thumbnail} uri=${part.thumbnailUri} />
      <div class="title"><h1>${part.name}</h1>
        <p>${[
          partType(part.type),
          part.size &&
            t("{size} mm", {
              size: [part.size.x, part.size.y, part.size.z]
                .filter((each) => each)
                .map((each) => Math.round(each))
                .join(" × "),
            }),
          plates > 1 && many(plates, "{count} plate", "{count} plates"),
          ...part.userTags,
          part.metadata?.printerModel,
        ]
          .filter(Boolean)
          .join(" · ")}</p>
        ${part.description && html`<p>${part.description}</p>`}<${Trouble} part=${part} again=${again} /></div>
      ${
        naming
          ? html`<${Naming} label=${t("New name of the part")} word=${t("Rename")} value=${part.name} cancel=${() => setNaming(false)} act=${(name) => attempt(() => patch(`/v1/parts/${id}`, { name }), t("Renamed to {name}", { name })).then((good) => good && (setNaming(false), again()))} />`
          : html`<div class="controls">
          ${may("job.create") && !part.processingStatus && html`<a class="button primary" href=${`/console/print?part=${id}&text=${encodeURIComponent(part.name)}`}>${t("Print …")}</a>`}
          ${Object.entries(LOOKS)
            .filter(([, { of }]) => of(part))
            .map(
              ([kind, { word }]) =>
                html`<button key=${kind} aria-expanded=${shown === kind} onClick=${() => setShown(shown === kind ? "" : kind)}>${word}</button>`,
            )}
          ${may("part.edit") && html`<button onClick=${() => setNaming(true)}>${t("Rename")}</button>`}
          <${Placed} key=${part.folderId} type="part" record=${part} path="/v1/parts" again=${again} />
          ${may("part.delete") && html`<${ConfirmButton} word=${t("Delete")} ask=${() => ({ title: t("Delete the part {name}?", { name: part.name }), note: t("Its files are deleted with it.") })} kind="quiet" act=${() => attempt(() => remove(id), t("{name} is deleted", { name: part.name })).then((good) => good && go("parts"))} />`}
        </div>`
      }
    </div>
    ${shown && html`<${Look} key=${shown} kind=${shown} part=${part} />`}
    <div class="halves"><${Estimate} part=${part} again=${again} /><${Materials} part=${part} /><${Parameters} part=${part} /></div>
    <${Plates} part=${part} />
    <${SoldAs} part=${part} />
    <${Files} part=${part} />
  </article>`;
}
