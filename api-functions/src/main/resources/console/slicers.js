// Adding the farm to a slicer: the address, the key, and where each kind of slicer takes them.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { farmAddress, may, post } from "./api.js";
import { useOnce, reason } from "./requests.js";
import { Copied, Secret } from "./components.js";
import { Code } from "./qr.js";
import { Tabs, Unreachable } from "./setup.js";
import { say } from "./toast.js";

const PERMISSIONS = ["part.create", "job.create", "part.view"];

const HOSTS = [
  { type: "OctoPrint", where: "OrcaSlicer: the Wi-Fi symbol beside the printer. PrusaSlicer and SuperSlicer: Printers → Add physical printer.", enter: "Host name: the address. API key: the key." },
  { type: "PrusaLink", where: "PrusaSlicer: Printers → Add physical printer.", enter: "Host name: the address. Authorization: API key, not user and password. API key: the key." },
  { type: "Klipper (via Moonraker)", where: "PrusaSlicer: Printers → Add physical printer.", enter: "Host name: the address. API key: the key." },
  { type: "OctoPrint Connection for Cura", where: "Cura: Settings → Printer → Connect OctoPrint → Add manually.", enter: "Address: the farm's host and port. Path: /print-hosts/any. API key: the key." },
];

function Key() {
  const [key, setKey] = useState("");
  const { busy, once } = useOnce(() => post("/v1/api-keys", { name: "Slicer", permissions: PERMISSIONS }).then((made) => setKey(made.key), (problem) => say(reason(problem), true)));
  return html`<section><h2>API key</h2>
    <p class="count">Slicers send it as the header <code>X-Api-Key</code>. It needs the permissions ${PERMISSIONS.slice(0, 2).join(", ")} and ${PERMISSIONS[2]}.</p>
    ${key ? html`<${Secret} label="The key, shown this once. It is called Slicer, and can be revoked under API keys." text=${key} />`
      : may("apiKey.create") && PERMISSIONS.every(may) ? html`<p><button disabled=${busy} onClick=${once}>Make a key for slicers</button></p>` : html`<p class="count">Ask someone who may create API keys for one.</p>`}</section>`;
}

export function Slicers() {
  const address = `${farmAddress()}/print-hosts/any`;
  return html`<div class="setup"><${Tabs} /><h1>Add to your slicer</h1>
    <p class="count">To a slicer, the farm is one printer. It sends each job to the first free printer that suits the file.</p>
    <section><h2>Address</h2><div class="walllink"><div class="secret"><p>Enter this as the host name of the printer:</p><${Copied} text=${address} /></div><${Code} text=${address} label="Code of the address" /></div><${Unreachable} />
      <p class="count">To print on one printer, a tag or a model, end the address in <code>printer-Voron 03</code>, <code>tag-abs</code> or <code>model-Trident</code> instead of <code>any</code>. <a href="/docs/slicers" target="_blank">All about slicers</a></p></section>
    <${Key} />
    <section><h2>What to enter</h2><ul class="rows">${HOSTS.map(({ type, where, enter }) => html`<li class="row plain" key=${type}><div class="what"><h3>${type}</h3><p>${where}</p><p>${enter}</p></div></li>`)}</ul></section>
  </div>`;
}
