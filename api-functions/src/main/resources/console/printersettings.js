// What a printer is called and how it is reached. Secrets are never shown, and kept unless another is typed.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch } from "./api.js";
import { attempt, useAnswer, useSending } from "./requests.js";
import { refreshSoon } from "./farm.js";
import { currency } from "./format.js";
import { Check, Field, NumberField } from "./components.js";
import { say } from "./toast.js";
import { t } from "./texts.js";

/** @type {Record<string, string>} */
export const SECRETS = { dev_access_code: t("Access code"), api_key: t("API key"), password: t("Password"), access_code: t("Access code") };
/** @type {Record<string, string>} */
export const REACHED = { host: t("Address"), server_host: t("Address"), port: t("Port"), server_port: t("Port") };
const HIDDEN = "********"; // sent back, it means unchanged

/** @param {any} value */
const numeric = (value) => (value === "" ? null : Number(value));

/** @param {{ printer: Printer, again: (...given: any[]) => any }} props */
function Form({ printer, again }) {
  const [changes, setChanges] = useState(/** @type {Record<string, any>} */ ({}));
  const [reached, setReached] = useState(/** @type {Record<string, any>} */ ({}));
  const groups = useAnswer("/v1/printer-throttle-groups?sort=name&fields=id,name").value ?? [];
  const now = /** @type {Record<string, any>} */ ({ ...printer, ...changes });
  const metadata = printer.metadata ?? {};
  const names = [
    ...Object.keys(REACHED).filter((name) => name in metadata || (name === "host" && printer.metadata)),
    ...Object.keys(SECRETS).filter((name) => name in metadata),
  ];
  const set = (/** @type {string} */ name, /** @type {any} */ value) => setChanges({ ...changes, [name]: value });
  const text = (/** @type {string} */ name) => ({
    value: now[name] ?? "",
    onInput: (/** @type {any} */ event) => set(name, event.target.value),
  });
  const { faults, submit, busy } = useSending(async () => {
    const secrets = Object.fromEntries(
      Object.keys(SECRETS)
        .filter((name) => name in metadata)
        .map((name) => [name, HIDDEN]),
    );
    const update = { ...changes, ...(Object.keys(reached).length && { metadata: { ...metadata, ...secrets, ...reached } }) };
    await patch(`/v1/printers/${printer.id}`, update);
    setChanges({});
    setReached({});
    refreshSoon(0);
    again();
    say(t("Settings saved"));
  });
  const continuous = (/** @type {any} */ enabled) =>
    attempt(
      () => patch("/v1/printers/continuous-print", { ids: [printer.id], enabled }),
      enabled ? t("It prints job after job") : t("It waits for its bed after each job"),
    ).then(() => (refreshSoon(0), again()));
  return html`<form class="form" onSubmit=${submit} noValidate>
    <${Field} label=${t("Name")} path="name" faults=${faults}><input required maxlength="500" ...${text("name")} /></${Field}>
    <${Field} label=${t("Tags")} hint=${t("separated by commas")} path="tags" faults=${faults}><input value=${now.tags.join(", ")} onChange=${(
      event,
    ) =>
      set(
        "tags",
        event.target.value
          .split(",")
          .map((/** @type {string} */ tag) => tag.trim())
          .filter(Boolean),
      )} /></${Field}>
    <${Field} label=${t("Model")} path="modelName" faults=${faults}><input ...${text("modelName")} /></${Field}>
    <${Field} label=${t("Nozzle, mm")} path="nozzleDiameter" faults=${faults}><input ...${text("nozzleDiameter")} /></${Field}>
    <${Field} label=${t("Throttle group")} hint=${t("printers that do not all heat at once")} path="throttleGroupId" faults=${faults}><select value=${now.throttleGroupId ?? ""} onChange=${(event) => set("throttleGroupId", event.target.value || null)}><option value="">${t("none")}</option>${groups.map((group) => html`<option key=${group.id} value=${group.id}>${group.name}</option>`)}</select></${Field}>
    <${NumberField} label=${t("Cost of an hour, {currency}", { currency: currency() })} hint=${t("if empty, the price in the store's settings")} path="hourlyRate" faults=${faults} value=${printer.hourlyRate} factor=${100} step="0.01" onChange=${(rate) => set("hourlyRate", rate)} />
    ${names.map(
      (name) =>
        html`<${Field} key=${name} label=${REACHED[name] ?? SECRETS[name]} path=${`metadata.${name}`} faults=${faults}>${
          SECRETS[name]
            ? html`<input type="password" autocomplete="new-password" placeholder=${t("unchanged")} value=${reached[name] ?? ""} onInput=${(event) => setReached({ ...reached, [name]: event.target.value || HIDDEN })} />`
            : html`<input value=${reached[name] ?? /** @type {Record<string, any>} */ (metadata)[name] ?? ""} onInput=${(event) => setReached({ ...reached, [name]: /port/.test(name) ? numeric(event.target.value) : event.target.value || null })} />`
        }</${Field}>`,
    )}
    ${may("printer.config") && may("printer.ready") && html`<${Check} label=${t("Prints job after job")} hint=${t("a macro clears the bed")} checked=${printer.continuousPrint} onChange=${continuous} />`}
    <button class="primary" disabled=${busy || (!Object.keys(changes).length && !Object.keys(reached).length)}>${t("Save")}</button></form>`;
}

/**
 * The whole record is asked for when somebody wants to change it.
 * @param {{ id: string }} props
 */
export function PrinterSettings({ id }) {
  const [open, setOpen] = useState(false);
  const { value, problem, again } = useAnswer(open && `/v1/printers/${id}`);
  return html`<section><details class="settings" onToggle=${(event) => setOpen(event.target.open)}><summary><h2>${t("Settings")}</h2></summary>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}${value && html`<${Form} printer=${value} again=${again} />`}</details></section>`;
}
