// One SKU: the parts that are printed for one of it, what it costs, and printing some.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch, send } from "./api.js";
import { attempt, reason, useAnswer } from "./requests.js";
import { useBuild } from "./build.js";
import { Placed } from "./part.js";
import { Naming, Thumbnail } from "./components.js";
import { go } from "./route.js";
import { ConfirmButton } from "./confirm.js";
import { decimals, duration, money } from "./format.js";
import { many, t } from "./texts.js";

/** @param {{ sku: Sku }} props */
function Print({ sku }) {
  const [quantity, setQuantity] = useState(1);
  const { jobs, refused, busy, print } = useBuild(sku.title, { skus: [{ skuId: sku.id, quantity }] });
  return html`<form class="printform" onSubmit=${print}><label>${t("Copies")}<input type="number" min="1" max="500" required value=${quantity} onInput=${(event) => setQuantity(event.target.valueAsNumber || 1)} /></label>
    <p class="outcome" role="status">${refused ? html`<span class="problem">${reason(refused)}</span>` : jobs ? many(jobs, "{count} job", "{count} jobs") : "…"}</p>
    <button class="primary" disabled=${busy || !jobs}>${t("Print × {quantity}", { quantity })}</button></form>`;
}

/** @param {{ id: string, total: any }} props */
function Cost({ id, total }) {
  const { value, problem } = useAnswer(`/v1/sku-costs/breakdown/${id}`);
  const rows = value && [
    ...value.filaments.map((/** @type {any} */ each) => ({
      key: `${each.linkedPartId} ${each.index}`,
      name: [each.label, each.materialType].filter(Boolean).join(": ") || t("Filament"),
      how: `${each.quantity} × ${each.grams === null ? t("unknown weight") : `${decimals(each.grams, 1)} g`}${each.pricePer1000g === null ? "" : ` ${t("at {amount} a kg", { amount: money(each.pricePer1000g) })}`}`,
      cents: each.cents,
      unknown: each.pricePer1000g === null,
    })),
    ...value.components.map((/** @type {any} */ each) => ({
      key: each.skuCostId,
      name: each.name,
      how: t("{quantity} {unit} at {amount}", { quantity: each.quantity, unit: each.unit, amount: money(each.rate) }),
      cents: each.cents,
      unknown: false,
    })),
  ];
  return html`<section><h2>${t("Cost of one")}</h2>${problem && html`<p class="problem">${problem}</p>`}
    ${
      rows &&
      html`<table class="sums"><thead class="hidden"><tr><th>${t("What")}</th><th>${t("How much")}</th><th>${t("Cost")}</th></tr></thead><tbody>${rows.map((/** @type {any} */ each) => html`<tr key=${each.key}><th scope="row">${each.name}</th><td>${each.how}</td><td>${each.unknown ? html`<span class="problem">${t("no price")}</span>` : each.cents === null ? html`<span class="problem">${t("unknown")}</span>` : money(each.cents)}</td></tr>`)}</tbody>
      <tfoot><tr><th scope="row">${t("Total")}</th><td>${value.isComplete ? "" : html`<span class="problem">${t("incomplete: the weight of a part is unknown")}</span>`}</td><td>${money(total)}</td></tr></tfoot></table>`
    }</section>`;
}

/** @param {{ linked: any, again: (...given: any[]) => any }} props */
function Made({ linked, again }) {
  const change = (/** @type {number} */ quantity) =>
    attempt(
      () => patch(`/v1/linked-parts/${linked.id}`, { quantity }),
      t("{quantity} of {name}", { quantity, name: linked.part?.name ?? linked.label }),
    ).then(again);
  const estimate = linked.part?.slicingEstimate;
  return html`<li class="row partrow"><${Thumbnail} uri=${linked.part?.thumbnailUri} />
    <div class="what"><h3>${linked.part ? html`<a href=${`/console/parts/${linked.partId}`}>${linked.part.name}</a>` : linked.partId}</h3><p>${[linked.label, estimate && t("{duration} each", { duration: duration(estimate.estimatedPrintTimeSeconds) })].filter(Boolean).join(" · ")}</p></div>
    <div class="acts">${
      may("sku.edit")
        ? html`<label class="times">× <input type="number" min="0" max="500" value=${linked.quantity} aria-label=${t("How many of {name} in one", { name: linked.part?.name ?? linked.label })} onChange=${(event) => event.target.checkValidity() && change(event.target.valueAsNumber || 0)} /></label>
        <${ConfirmButton} word=${t("Remove")} ask=${() => ({ title: t("Remove {name} from the SKU?", { name: linked.part?.name ?? t("this part") }) })} kind="quiet" act=${() => attempt(() => send("DELETE", `/v1/linked-parts/${linked.id}`), t("Removed")).then(again)} />`
        : html`× ${linked.quantity}`
    }</div></li>`;
}

/** @param {{ id: string }} props */
export function Sku({ id }) {
  const [naming, setNaming] = useState(false);
  const { value: sku, problem, again } = useAnswer(`/v1/skus/${id}${may("part.view") ? "?include=linkedParts.part" : ""}`);
  if (!sku) {
    return html`<p class="empty">${problem || t("Loading …")}</p>`;
  }
  const parts = sku.linkedParts ?? [];
  return html`<article class="piece">
    <a class="back" href=${`/console/skus${sku.folderId ? `?folder=${sku.folderId}` : ""}`}>${t("← SKUs")}</a>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="sheet"><${Thumbnail} uri=${parts.find((/** @type {any} */ each) => each.part?.thumbnailUri)?.part.thumbnailUri} icon="order" />
      <div class="title"><h1>${sku.title}</h1><p>${[sku.sku, many(parts.length, "{count} part", "{count} parts"), sku.totalCogs > 0 && t("costs {amount}", { amount: money(sku.totalCogs) })].filter(Boolean).join(" · ")}</p>${sku.description && html`<p>${sku.description}</p>`}</div>
      ${
        naming
          ? html`<${Naming} label=${t("New title")} word=${t("Rename")} value=${sku.title} cancel=${() => setNaming(false)} act=${(title) => attempt(() => patch(`/v1/skus/${id}`, { title }), t("Renamed to {title}", { title })).then((good) => good && (setNaming(false), again()))} />`
          : html`<div class="controls">${may("sku.edit") && html`<button onClick=${() => setNaming(true)}>${t("Rename")}</button>`}
          <${Placed} key=${sku.folderId} type="sku" record=${sku} path="/v1/skus" again=${again} />
          ${may("sku.delete") && html`<${ConfirmButton} word=${t("Delete")} ask=${() => ({ title: t("Delete the SKU {title}?", { title: sku.title }) })} kind="quiet" act=${() => attempt(() => send("DELETE", `/v1/skus/${id}`), t("{title} is deleted", { title: sku.title })).then((good) => good && go("skus"))} />`}</div>`
      }
    </div>
    ${may("job.create") && parts.length > 0 && html`<section><h2>${t("Print")}</h2><${Print} sku=${sku} /></section>`}
    <section><h2>${t("Printed for one")} <span class="count">${many(
      parts.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.quantity, 0),
      "{count} copy",
      "{count} copies",
    ).replace("copys", "copies")}</span></h2>
      ${parts.length ? html`<ul class="rows">${parts.map((/** @type {any} */ each) => html`<${Made} key=${each.id} linked=${each} again=${again} />`)}</ul>` : html`<p class="count">${t("No part is linked to it.")}</p>`}</section>
    <${Cost} key=${JSON.stringify([sku.totalCogs, parts.map((/** @type {any} */ each) => each.quantity)])} id=${id} total=${sku.totalCogs} />
  </article>`;
}
