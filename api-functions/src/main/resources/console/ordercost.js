// What an order costs, and what of that is assumed.
import { html } from "./html.js";
import { duration, money } from "./format.js";
import { t } from "./texts.js";

/** @type {Record<string, string>} */
const BASES = { measured: "measured", partly: t("measured in part"), assumed: "assumed", notCounted: t("not counted") };

/** @param {{ name: string, what: any, basis: any, cents: number | null | undefined, currency: string }} props */
const Line = ({ name, what, basis, cents, currency }) =>
  html`<tr><th scope="row">${name}</th><td>${[what, BASES[basis]].filter(Boolean).join(" · ")}</td><td>${money(cents, currency)}</td></tr>`;

/** @param {{ cost: any }} props */
export function OrderCost({ cost }) {
  const { currency, basis } = cost;
  const counted = [
    {
      name: t("Printers"),
      what: cost.seconds ? t("{duration} of printing", { duration: duration(cost.seconds) }) : "",
      basis: basis.machine,
      cents: cost.machineCents,
    },
    { name: t("Energy"), what: "", basis: basis.energy, cents: cost.energyCents },
    { name: t("Labour"), what: "", basis: basis.labour, cents: cost.labourCents },
  ].filter((line) => line.basis !== "notCounted" && (line.name !== "Printers" || line.cents > 0));
  return html`<section><h2>${t("Cost")} ${cost.estimated && html`<span class="count">${t("by estimate")}</span>`}</h2><table class="sums"><tbody>
      <${Line} name="Filament" what=${`${Math.round(cost.grams)} g`} basis=${basis.grams} cents=${cost.filamentCents === 0 && cost.grams > 0 ? null : cost.filamentCents} currency=${currency} />
      ${counted.map((line) => html`<${Line} key=${line.name} ...${line} currency=${currency} />`)}
      ${(cost.componentCents > 0 || !counted.length) && html`<tr><th scope="row">${t("Other")}</th><td>${counted.length === 0 && cost.seconds ? t("{duration} of printing", { duration: duration(cost.seconds) }) : ""}</td><td>${money(cost.componentCents, currency)}</td></tr>`}</tbody>
      <tfoot>${!cost.isComplete && html`<tr><th scope="row">${t("Incomplete")}</th><td colspan="2"><span class="problem">${t("the weight of some filament is unknown and not counted")}</span></td></tr>`}<tr><th scope="row">${t("Total")}</th><td>${cost.scrapCents > 0 ? t("including {amount} for failed prints", { amount: money(cost.scrapCents, currency) }) : ""}</td><td>${money(cost.totalCents, currency)}</td></tr>
        ${cost.marginCents !== null && html`<tr><th scope="row">${t("Margin on {amount}", { amount: money(cost.price, currency) })}</th><td>${cost.marginPerHourCents !== null ? t("{amount} an hour of printing", { amount: money(cost.marginPerHourCents, currency) }) : ""}</td><td>${money(cost.marginCents, currency)}</td></tr>`}</tfoot></table></section>`;
}
