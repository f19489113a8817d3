// What an order costs, and what of that is assumed.
import { html } from "./html.js";
import { duration, money } from "./format.js";

const BASES = { measured: "measured", partly: "measured in part", assumed: "assumed", notCounted: "not counted" };

const Line = ({ name, what, basis, cents, currency }) => html`<tr><th scope="row">${name}</th><td>${[what, BASES[basis]].filter(Boolean).join(" · ")}</td><td>${money(cents, currency)}</td></tr>`;

export function OrderCost({ cost }) {
  const { currency, basis } = cost;
  const counted = [
    { name: "Printers", what: cost.seconds ? `${duration(cost.seconds)} of printing` : "", basis: basis.machine, cents: cost.machineCents },
    { name: "Energy", what: "", basis: basis.energy, cents: cost.energyCents },
    { name: "Labour", what: "", basis: basis.labour, cents: cost.labourCents },
  ].filter((line) => line.basis !== "notCounted" && (line.name !== "Printers" || line.cents > 0));
  return html`<section><h2>Cost ${cost.estimated && html`<span class="count">by estimate</span>`}</h2><table class="sums"><tbody>
      <${Line} name="Filament" what=${`${Math.round(cost.grams)} g`} basis=${basis.grams} cents=${cost.filamentCents === 0 && cost.grams > 0 ? null : cost.filamentCents} currency=${currency} />
      ${counted.map((line) => html`<${Line} key=${line.name} ...${line} currency=${currency} />`)}
      ${(cost.componentCents > 0 || !counted.length) && html`<tr><th scope="row">Other</th><td>${counted.length === 0 && cost.seconds ? `${duration(cost.seconds)} of printing` : ""}</td><td>${money(cost.componentCents, currency)}</td></tr>`}</tbody>
      <tfoot>${!cost.isComplete && html`<tr><th scope="row">Incomplete</th><td colspan="2"><span class="problem">the weight of some filament is unknown and not counted</span></td></tr>`}<tr><th scope="row">Total</th><td>${cost.scrapCents > 0 ? `of that ${money(cost.scrapCents, currency)} for what failed` : ""}</td><td>${money(cost.totalCents, currency)}</td></tr>
        ${cost.marginCents !== null && html`<tr><th scope="row">Left of ${money(cost.price, currency)}</th><td>${cost.marginPerHourCents !== null ? `${money(cost.marginPerHourCents, currency)} an hour of printing` : ""}</td><td>${money(cost.marginCents, currency)}</td></tr>`}</tfoot></table></section>`;
}
