// Filament: which spool goes where and when, as a list to print, and what is to be bought.
import { html } from "./html.js";
import { may } from "./api.js";
import { useAnswer } from "./requests.js";
import { time, weight } from "./format.js";
import { Icon } from "./icons.js";
import { now } from "./live.js";
import { ask, route } from "./route.js";
import { Tabs } from "./setup.js";
import { many, rich, t } from "./texts.js";

const AGAIN = 60_000;
const DAYS = [0, 7, 14, 30, 90];
const MINUTE = 60_000;

/** @param {{ load: any }} props */
const Load = ({ load }) => html`<li class="row pair load">
  <div class="what"><h3><a href=${`/console/printers/${load.printerId}`}>${load.printerName}</a> ${load.slot}: ${load.name}</h3>
    <p>${[load.replacedName && t("instead of {replacedName}", { replacedName: load.replacedName }), many(load.jobIds.length, "for {count} job", "for {count} jobs")].filter(Boolean).join(" · ")}</p>
    ${!load.instanceId && html`<p class="warning"><${Icon} name="alert" />${t("No such spool is registered")}</p>`}</div>
  <p class="status">${Date.parse(load.at) <= now.value + MINUTE ? t("now") : time(load.at)}</p></li>`;

function Loads() {
  const { value, problem } = useAnswer("/v1/plan/filament", { every: () => AGAIN });
  return html`<section><h2>${t("To load")}</h2>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      value?.loads.length > 0 &&
      html`<div class="filters noprint"><button onClick=${() => print()}>${t("Print the list")}</button></div>
      <ul class="rows">${value.loads.map((load) => html`<${Load} key=${`${load.printerId} ${load.slot} ${load.at}`} load=${load} />`)}</ul>`
    }
    ${value?.loads.length === 0 && html`<p class="empty">${value.jobs === 0 ? t("No job waits.") : many(value.jobs, "{count} waiting job can be printed from what is loaded.", "{count} waiting jobs can be printed from what is loaded.")}</p>`}
    ${value?.unplacedJobIds.length > 0 && html`<p class="warning"><${Icon} name="alert" />${many(value.unplacedJobIds.length, "{count} job fits no printer, whatever is in it: see the queue", "{count} jobs fit no printer, whatever is in it: see the queue")}</p>`}
  </section>`;
}

function Buying() {
  const asked = Number(route.value.query.get("days") ?? 14);
  const days = DAYS.includes(asked) ? asked : 14;
  const { value, problem } = useAnswer(`/v1/plan/buy?days=${days}`, { every: () => AGAIN });
  const lines = (value?.lines ?? []).filter((line) => line.lackingGrams > 0);
  return html`<section><h2>${t("To buy")}</h2>
    <div class="filters noprint"><label class="pick">${rich("For the queue and {days} of average use", { days: html`<select aria-label=${t("Days")} value=${days} onChange=${(event) => ask({ days: event.target.value })}>${DAYS.map((each) => html`<option key=${each} value=${each}>${each ? many(each, "{count} day", "{count} days") : t("nothing")}</option>`)}</select>` })}</label></div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      lines.length > 0 &&
      html`<table class="sums numbers"><thead><tr><th scope="col">${t("Filament")}</th><th scope="col">${t("Queue")}</th><th scope="col">${t("A day")}</th><th scope="col">${t("In stock")}</th><th scope="col">${t("Missing")}</th></tr></thead>
      <tbody>${lines.map((line) => html`<tr key=${`${line.variantId} ${line.materialId} ${line.materialType}`}><th scope="row">${line.name}</th><td>${weight(line.queueGrams)}</td><td>${weight(line.gramsPerDay)}</td><td>${weight(line.stockGrams)}</td><td>${weight(line.lackingGrams)}</td></tr>`)}</tbody></table>`
    }
    ${value && lines.length === 0 && html`<p class="empty">${t("You have enough filament.")}</p>`}
  </section>`;
}

export function Filament() {
  return html`<div class="queue filament"><h1 class="hidden">${t("Filament")}</h1><div class="noprint"><${Tabs} /></div>
    ${may("material.view") ? html`<${Loads} /><${Buying} />` : html`<p class="empty">${t("This key may not see materials.")}</p>`}</div>`;
}
