// Adding the farm to a slicer: the address, the key, and where each kind of slicer takes them.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { farmAddress, may, post } from "./api.js";
import { useOnce, reason } from "./requests.js";
import { Copied, Secret } from "./components.js";
import { Code } from "./qr.js";
import { Tabs, Unreachable } from "./setup.js";
import { Where } from "./printform.js";
import { say } from "./toast.js";
import { rich, t } from "./texts.js";

const PERMISSIONS = ["part.create", "job.create", "part.view"];

/** @type {Record<string, string>} */
const PREFIXES = { "user.tags": "tag-", "printer.modelName": "model-", "printer.id": "printer-" };

const HOSTS = [
  {
    type: "OctoPrint",
    where: t("OrcaSlicer: the Wi-Fi symbol beside the printer. PrusaSlicer and SuperSlicer: Printers → Add physical printer."),
    enter: t("Host name: the address. API key: the key."),
  },
  {
    type: "PrusaLink",
    where: t("PrusaSlicer: Printers → Add physical printer."),
    enter: t("Host name: the address. Authorization: API key, not user and password. API key: the key."),
  },
  {
    type: "Klipper (via Moonraker)",
    where: t("PrusaSlicer: Printers → Add physical printer."),
    enter: t("Host name: the address. API key: the key."),
  },
  {
    type: "OctoPrint Connection for Cura",
    where: t("Cura: Settings → Printer → Connect OctoPrint → Add manually."),
    enter: t("Address: the farm's host and port. Path: the rest of the address. API key: the key."),
  },
];

function Key() {
  const [key, setKey] = useState("");
  const { busy, once } = useOnce(() =>
    post("/v1/api-keys", { name: "Slicer", permissions: PERMISSIONS }).then(
      (made) => setKey(made.key),
      (problem) => say(reason(problem), true),
    ),
  );
  return html`<section><h2>${t("API key")}</h2>
    <p class="count">${rich("Slicers send it as the header {header}. It needs the permissions {permissions}.", { header: html`<code>X-Api-Key</code>`, permissions: PERMISSIONS.join(", ") })}</p>
    ${
      key
        ? html`<${Secret} label=${t("The key is shown only once. It is called Slicer and can be revoked under API keys.")} text=${key} />`
        : may("apiKey.create") && PERMISSIONS.every(may)
          ? html`<p><button disabled=${busy} onClick=${once}>${t("Create a key for slicers")}</button></p>`
          : html`<p class="count">${t("Ask someone who may create API keys for one.")}</p>`
    }</section>`;
}

/**
 * Returns the print host of a choice of printers.
 * @param {string} choice
 */
function hostOf(choice) {
  const [, key, value] = choice.match(/^(\S+) =(.*)$/) ?? [];
  return key ? `${PREFIXES[key]}${encodeURIComponent(value)}` : "any";
}

export function Slicers() {
  const [target, setTarget] = useState("");
  const address = `${farmAddress()}/print-hosts/${hostOf(target)}`;
  return html`<div class="setup"><${Tabs} /><h1>${t("Add to your slicer")}</h1>
    <p class="count">${t("To a slicer, the farm is one printer. It sends each job to the first free printer that suits the file.")}</p>
    <section><h2>${t("Address")}</h2><div class="filters"><${Where} value=${target} onInput=${setTarget} /></div><div class="walllink"><div class="secret"><p>${t("Enter this as the host name of the printer:")}</p><${Copied} text=${address} /></div><${Code} text=${address} label=${t("Code of the address")} /></div><${Unreachable} />
      <p class="count">${t("A print goes to the first of these printers that can take it.")} <a href="/docs/slicers" target="_blank">${t("All about slicers")}</a></p></section>
    <${Key} />
    <section><h2>${t("What to enter")}</h2><ul class="rows">${HOSTS.map(({ type, where, enter }) => html`<li class="row plain" key=${type}><div class="what"><h3>${type}</h3><p>${where}</p><p>${enter}</p></div></li>`)}</ul></section>
  </div>`;
}
