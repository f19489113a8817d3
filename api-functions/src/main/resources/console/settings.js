// The store's own settings, in plain words.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch } from "./api.js";
import { useAnswer, useSending } from "./requests.js";
import { Hours, USUAL } from "./hours.js";
import { Check, Field } from "./components.js";
import { SLICERS } from "./names.js";
import { Policy } from "./policy.js";
import { Rates } from "./rates.js";
import { Tabs } from "./setup.js";
import { say } from "./toast.js";
import { t } from "./texts.js";

const SWITCHES = [
  ["requireApproval", t("A person approves each job"), t("before it goes to its printer")],
  ["processLowPriorityJobs", t("Use idle printers for low-priority jobs"), t("when no other job can print")],
  ["allowOtherModels", t("G-code may go to another model"), t("than the one it was made for")],
  [
    "allowCheckOverride",
    t("Tags override the checks of G-code"),
    t("a job that names its printer prints although its G-code leaves the bed, is too hot or extrudes nothing"),
  ],
  ["deadlineFirst", t("Print for the nearest deadline first"), t("within a priority; what has no deadline waits a week at most")],
  ["requireSufficientMaterial", t("Wait for a spool that has enough"), t("instead of a warning")],
  ["autoCloseOrders", t("Close orders automatically"), t("when their last piece is printed")],
];
const PROFILES = [
  ["defaultMachineProfileId", t("Machine profile"), "machine"],
  ["defaultProcessProfileId", t("Process profile"), "process"],
  ["defaultFilamentProfileId", t("Filament profile"), "filament"],
];

/** @param {{ kept: any, saved: (...given: any[]) => any }} props */
function Form({ kept, saved }) {
  const [changes, setChanges] = useState({});
  const profiles = useAnswer(may("profile.view") && "/v1/profiles?fields=id,name,type&sort=name");
  const now = { ...kept, ...changes };
  const set = (/** @type {string} */ name, /** @type {any} */ value) => setChanges({ ...changes, [name]: value });
  const text = (/** @type {string} */ name) => ({
    value: now[name],
    required: true,
    disabled: !may("settings.edit"),
    onInput: (/** @type {any} */ event) => set(name, event.target.value),
  });
  const { faults, submit, busy } = useSending(async () => {
    await patch("/v1/settings/store", changes);
    setChanges({});
    say(t("Settings saved"));
    saved();
  });
  const zones = Intl.supportedValuesOf?.("timeZone") ?? [];
  return html`<form class="form" onSubmit=${submit} noValidate>
    <${Field} label=${t("Name of the farm")} path="name" faults=${faults}><input ...${text("name")} /></${Field}>
    <${Field} label=${t("Time zone")} path="timezone" faults=${faults} hint=${t("for instance Europe/Paris")}><input list="zones" ...${text("timezone")} /></${Field}>
    <datalist id="zones">${zones.map((zone) => html`<option key=${zone} value=${zone}></option>`)}</datalist>
    <${Field} label=${t("Currency")} path="currency" faults=${faults} hint=${t("three letters, for instance EUR")}><input maxlength="3" ...${text("currency")} /></${Field}>
    <${Field} label=${t("Automatic retries")} path="maxRetries" faults=${faults} hint=${t("per job after a failure, at most")}><input ...${text("maxRetries")} type="number" min="0" max="100" onInput=${(event) => set("maxRetries", Number.isNaN(event.target.valueAsNumber) ? null : event.target.valueAsNumber)} /></${Field}>
    <fieldset><legend>${t("How it prints")}</legend>${SWITCHES.map(([name, label, hint]) => html`<${Check} key=${name} label=${label} hint=${hint} checked=${now[name]} disabled=${!may("settings.edit")} onChange=${(on) => set(name, on)} />`)}</fieldset>
    <${Policy} policy=${now.failurePolicy} onChange=${(policy) => set("failurePolicy", policy)} faults=${faults} disabled=${!may("settings.edit")} />
    <${Check} label=${t("Plan around working hours")} hint=${t("otherwise the plan assumes that somebody is always there")} checked=${Boolean(now.workingHours)} disabled=${!may("settings.edit")} onChange=${(on) => set("workingHours", on ? (kept.workingHours ?? USUAL) : null)} />
    ${now.workingHours && html`<${Hours} hours=${now.workingHours} onChange=${(hours) => set("workingHours", hours)} faults=${faults} disabled=${!may("settings.edit")} zone=${now.timezone} />`}
    <${Rates} rates=${now.costRates} onChange=${(rates) => set("costRates", rates)} faults=${faults} disabled=${!may("settings.edit")} currency=${now.currency} />
    <${Field} label=${t("Slicer")} path="slicer" faults=${faults} hint=${t("slices jobs unless a part names another")}><select value=${now.slicer ?? ""} disabled=${!may("settings.edit")} onChange=${(event) => set("slicer", event.target.value || null)}>
      <option value="">${t("any that is installed")}</option>${Object.entries(SLICERS).map(([value, name]) => html`<option key=${value} value=${value}>${name}</option>`)}</select></${Field}>
    ${
      profiles.value &&
      PROFILES.map(
        ([
          name,
          label,
          type,
        ]) => html`<${Field} key=${name} label=${label} path=${name} faults=${faults} hint=${t("used if nothing else is chosen")}><select value=${now[name] ?? ""} disabled=${!may("settings.edit")} onChange=${(event) => set(name, event.target.value || null)}>
      <option value="">${t("none")}</option>${profiles.value.filter((each) => each.type === type).map((each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}</select></${Field}>`,
      )
    }
    ${may("settings.edit") && html`<button class="primary" disabled=${busy || !Object.keys(changes).length}>${t("Save")}</button>`}
  </form>`;
}

export function Settings() {
  const { value, problem, again } = useAnswer("/v1/settings/store");
  return html`<div class="settings"><${Tabs} /><h1>${t("Store")}</h1>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${value && html`<${Form} key=${value.updatedAt} kept=${value} saved=${again} />`}</div>`;
}
