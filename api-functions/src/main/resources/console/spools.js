// Spools: what is left on them, where they are, and the label by which they are found again.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { farmAddress, isReachable, may, patch, post, send } from "./api.js";
import { attempt, useAnswer, useSending } from "./requests.js";
import { ids, viewOf } from "./farm.js";
import { Paging, Search } from "./components.js";
import { Code } from "./qr.js";
import { Import } from "./importing.js";
import { ask, route } from "./route.js";
import { Tabs } from "./setup.js";
import { say } from "./toast.js";
import { spoolName } from "./slots.js";
import { ConfirmButton } from "./confirm.js";
import { currency, money } from "./format.js";
import { many, rich, t } from "./texts.js";

const PAGE = 50;
const WITH = "include=variant,material";

/** @param {{ done: any }} props */
function Adding({ done }) {
  const materials = useAnswer("/v1/materials?sort=name&fields=id,name,brand").value ?? [];
  const variants = useAnswer("/v1/materials/variants?sort=name&fields=id,name,materialId").value ?? [];
  const nameOf = (/** @type {string} */ id) => materials.find((each) => each.id === id)?.name ?? "";
  const { submit, busy } = useSending(async (/** @type {any} */ event) => {
    const { name, kind, type, grams, identifier } = event.target.elements;
    const [field, id] = kind.value.split(" ");
    await post("/v1/materials/instances", {
      name: name.value.trim() || null,
      ...(id ? { [field]: id } : { materialType: type.value.trim() }),
      initialGrams: grams.valueAsNumber || null,
      remainingGrams: grams.valueAsNumber || null,
      identifier: identifier.value.trim() || null,
    });
    say(t("Spool added. Print its label."));
    done();
  });
  return html`<form class="printform noprint" onSubmit=${submit}>
    <label>${t("Filament")}<select name="kind"><option value="">${t("of a type")}</option>
      ${variants.length > 0 && html`<optgroup label=${t("Colours")}>${variants.map((each) => html`<option key=${each.id} value=${`variantId ${each.id}`}>${nameOf(each.materialId)} ${each.name}</option>`)}</optgroup>`}
      ${materials.length > 0 && html`<optgroup label=${t("Materials")}>${materials.map((each) => html`<option key=${each.id} value=${`materialId ${each.id}`}>${each.brand} ${each.name}</option>`)}</optgroup>`}</select></label>
    <label>${t("Type")}<input name="type" value="PLA" maxlength="100" /></label><label>${t("Name")}<input name="name" maxlength="200" placeholder=${t("none")} /></label>
    <label>${t("Grams")}<input name="grams" type="number" min="0" value="1000" /></label><label>${t("Maker's number")}<input name="identifier" maxlength="200" placeholder=${t("none")} /></label>
    <button class="primary" disabled=${busy}>${t("Add the spool")}</button></form>`;
}

/**
 * A label to be cut out and stuck on: the code leads here, whatever scans it.
 * @param {{ spool: Spool }} props
 */
const Label = ({
  spool,
}) => html`<div class="label"><${Code} text=${`${farmAddress()}/console/spools/${spool.id}`} label=${t("Code of {spool}", { spool: spoolName(spool, spool.variant, spool.material) })} />
  <p><b>${spoolName(spool, spool.variant, spool.material)}</b><br />${spool.identifier ?? spool.id.slice(-6)}</p></div>`;

/** @param {{ spool: Spool, slot: any, chosen: any, choose: (...given: any[]) => any, again: (...given: any[]) => any }} props */
function Spool({ spool, slot, chosen, choose, again }) {
  const name = spoolName(spool, spool.variant, spool.material);
  const printer = slot && ids.value.includes(slot.printerId) && viewOf(slot.printerId).peek().printer;
  const weigh = (/** @type {any} */ event) =>
    event.target.value !== "" &&
    attempt(
      () => patch(`/v1/materials/instances/${spool.id}`, { remainingGrams: event.target.valueAsNumber }),
      t("{name}: {grams} g left", { name, grams: event.target.value }),
    ).then(again);
  const own = spool.pricePer1000g;
  const inherited = spool.variant?.pricePer1000g ?? spool.material?.pricePer1000g ?? null;
  const price = (/** @type {any} */ event) =>
    attempt(
      () =>
        patch(`/v1/materials/instances/${spool.id}`, {
          pricePer1000g: event.target.value === "" ? null : Math.round(event.target.valueAsNumber * 100),
        }),
      event.target.value === ""
        ? t("{name}: priced as its filament is", { name })
        : t("{name}: {price} a kg", { name, price: event.target.value }),
    ).then(again);
  return html`<li class="row spool"><input type="checkbox" aria-label=${t("Select {name}", { name })} checked=${chosen} onChange=${(event) => choose(event.target.checked)} />
    <div class="what"><h3>${name}</h3><p>${[spool.identifier, printer ? rich("in {printer}, slot {slot}", { printer: html`<a href=${`/console/printers/${printer.id}`}>${printer.name}</a>`, slot: slot.slot }) : t("In storage")].filter(Boolean).map((each, i) => html`${i ? " · " : ""}${each}`)}</p></div>
    <span class="measures"><label class="count">${may("material.instance.edit") ? html`<input type="number" min="0" aria-label=${t("Grams left on {name}", { name })} defaultValue=${spool.remainingGrams === null ? "" : Math.round(spool.remainingGrams)} onChange=${weigh} />` : Math.round(spool.remainingGrams ?? 0)} g</label>
      ${may("material.instance.edit") && html`<label class="count"><input type="number" min="0" step="0.01" placeholder=${own === null && inherited !== null ? money(inherited) : ""} aria-label=${t("Price of a kg of {name}", { name })} defaultValue=${own === null ? "" : own / 100} onChange=${price} /> ${t("{currency} a kg", { currency: currency() })}</label>`}</span>
    <span class="acts">${may("material.instance.delete") && html`<${ConfirmButton} word=${t("Delete")} ask=${() => ({ title: t("Delete the spool {name}?", { name }), facts: [[t("Filament left"), spool.remainingGrams === null ? t("not known") : `${Math.round(spool.remainingGrams)} g`]] })} kind="quiet" act=${() => attempt(() => send("DELETE", `/v1/materials/instances/${spool.id}`), t("{name} is deleted", { name })).then(again)} />`}</span></li>`;
}

export function Spools() {
  const { path, query } = route.value;
  const one = path.split("/")[1];
  const text = query.get("text") ?? "";
  const page = Number(query.get("page") ?? 0);
  const [chosen, setChosen] = useState(new Set());
  const [adding, setAdding] = useState(false);
  const { value, problem, again } = useAnswer(
    one
      ? `/v1/materials/instances?id=${one}&meta=true&${WITH}`
      : `/v1/materials/instances?meta=true&sort=createdAt:desc&limit=${PAGE}&offset=${page * PAGE}&${WITH}${text && `&name.contains=${encodeURIComponent(text)}`}`,
  );
  const spools = value?.data ?? [];
  const slots = useAnswer(spools.length > 0 && `/v1/printer-slots?instanceId.in=${spools.map((each) => each.id).join(",")}`).value ?? [];
  const choose = (/** @type {string} */ id, /** @type {boolean} */ on) => {
    const next = new Set(chosen);
    on ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  const labels = spools.filter((each) => one || chosen.has(each.id));
  return html`<div class="queue spools"><h1 class="hidden">${t("Spools")}</h1><h2 class="hidden">${t("All spools")}</h2><div class="noprint"><${Tabs} /></div>
    <div class="filters noprint">${one ? html`<a class="back" href="/console/spools">${t("← All spools")}</a>` : html`<${Search} label=${t("Search spools")} placeholder=${t("Name")} />`}
      ${may("material.instance.create") && html`<button aria-expanded=${adding} onClick=${() => setAdding(!adding)}>${t("Add a spool …")}</button><${Import} path="/v1/materials/instances" done=${again} />`}
      ${labels.length > 0 && html`<button onClick=${() => print()}>${many(labels.length, "Print {count} label", "Print {count} labels")}</button>`}</div>
    ${
      adding &&
      html`<${Adding} done=${() => {
        setAdding(false);
        ask({ page: "" });
        again();
      }} />`
    }
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${spools.length > 0 && html`<ul class="rows noprint">${spools.map((spool) => html`<${Spool} key=${spool.id} spool=${spool} slot=${slots.find((slot) => slot.instanceId === spool.id)} chosen=${chosen.has(spool.id)} choose=${(on) => choose(spool.id, on)} again=${again} />`)}</ul>`}
    ${value && !one && html`<${Paging} meta=${value.meta} page=${page} />`}
    ${value && !spools.length && html`<p class="empty">${one ? t("There is no such spool.") : text ? t("No spool matches.") : t("No spool yet. Add one, print its label, and scan it at a printer's slot.")}</p>`}
    ${labels.length > 0 && !isReachable() && html`<p class="problem">${rich("The codes open the spools on the farm's own machine only, because it accepts no other connections. Set {setting} before you print labels.", { setting: html`<code>gantry.public-url</code>` })}</p>`}
    ${labels.length > 0 && html`<div class="labels">${labels.map((spool) => html`<${Label} key=${spool.id} spool=${spool} />`)}</div>`}
  </div>`;
}
