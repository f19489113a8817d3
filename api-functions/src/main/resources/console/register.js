// A printer is made known to the farm: what it is, where it is, and by which agent it is reached. Its secrets are typed and never shown.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { randomHex, send } from "./api.js";
import { useAnswer, useSending } from "./requests.js";
import { refreshSoon } from "./farm.js";
import { Check, Field } from "./components.js";
import { Import } from "./importing.js";
import { MAKE_NAMES } from "./makes.js";
import { REACHED, SECRETS } from "./printersettings.js";
import { go } from "./route.js";
import { Tabs } from "./setup.js";
import { say } from "./toast.js";
import { rich, t } from "./texts.js";

const LOOKED_FOR = t("the printer's address in the agent's network; if empty, the agent searches for it");

/**
 * What the chosen model means for the queue.
 * @param {any} typed
 * @param {any} model
 */
function modelHint(typed, model) {
  const { x, y, z } = model?.bedSize ?? {};
  return !typed
    ? t("G-code goes only to the model that it was made for.")
    : !model
      ? t("Not in the catalogue. Only files whose G-code names exactly this model will print here.")
      : x
        ? t("Build volume {x} × {y} × {z} mm", { x, y, z })
        : "";
}

/** @type {Record<string, any>} By make: its fields, which of them is the serial number, and what else its metadata must say. */
const MAKES = {
  vendorA: {
    hint: t("It needs LAN Only Mode with Developer Mode on."),
    fields: ["dev_id", "dev_access_code", "host"],
    serial: "dev_id",
    required: ["dev_id", "dev_access_code"],
    more: (/** @type {any} */ { name, modelName }) => ({
      dev_model_name: modelName,
      dev_product_name: modelName,
      name,
      online: false,
      print_status: "",
    }),
  },
  firmwareK: {
    fields: ["host", "server_port", "api_key"],
    start: { server_port: "7125" },
    required: ["host", "server_port"],
    more: () => ({ extruder_count: 1 }),
  },
  vendorP: { fields: ["host", "password"], required: ["host", "password"] },
  vendorB: {
    fields: ["host", "port", "api_key", "use_https"],
    start: { port: "80" },
    required: ["host", "port", "api_key"],
  },
  sdcp: { fields: ["mainboard_id", "host"], serial: "mainboard_id" },
  "elegoo-mqtt": {
    hint: t("It needs LAN Only Mode on."),
    fields: ["serial", "access_code", "host"],
    serial: "serial",
    required: ["serial"],
  },
  anycubic: { hint: t("It needs LAN mode on."), fields: ["host"], required: ["host"] },
};
/** @type {Record<string, any>} */
const LABELS = { ...REACHED, ...SECRETS, dev_id: t("Serial number"), serial: t("Serial number"), mainboard_id: t("Mainboard id") };

/** @param {{ agents: any }} props */
function Form({ agents }) {
  const [provider, setProvider] = useState("vendorA");
  const [basics, setBasics] = useState(
    /** @type {Record<string, any>} */ ({ name: "", modelName: "", nozzleDiameter: "0.4", proxyClientId: agents[0].id }),
  );
  const [values, setValues] = useState({});
  const [suffix] = useState(() => randomHex(4)); // one a form: if an answer is lost, another press makes no second printer
  const models = useAnswer("/v1/printer-models?limit=1000").value ?? [];
  const make = MAKES[provider];
  const title = (/** @type {any} */ model) =>
    model.modelName.includes(model.vendorName) ? model.modelName : `${model.vendorName} ${model.modelName}`;
  const model = models.find((each) => title(each) === basics.modelName);
  const now = { ...make.start, ...values };
  const { faults, submit, busy } = useSending(async () => {
    const { serial: _serial, ...said } = now;
    const known = Object.entries(said)
      .filter(([name, value]) => make.fields.includes(name) && value !== "")
      .map(([name, value]) => [name, /port$/.test(name) ? Number(value) : value]);
    const [printer] = await send("PUT", "/v1/printers", [
      {
        ...basics,
        modelName: model?.modelName ?? (basics.modelName || null),
        ...(model && { vendorName: model.vendorName, vendorModelId: model.vendorModelId }),
        commMethod: "fuse",
        deviceId: now[make.serial] || `${provider}-${suffix}`,
        metadata: { provider, nozzle_diameter: Number(basics.nozzleDiameter) || 0.4, ...make.more?.(basics), ...Object.fromEntries(known) },
      },
    ]);
    refreshSoon(0);
    say(t("{name} is registered", { name: printer.name }));
    go(`printers/${printer.id}`);
  });
  const here = faults.map((/** @type {any} */ fault) => ({ ...fault, path: fault.path.replace(/^\[0\]\.?/, "") }));
  const text = (/** @type {string} */ name) => ({
    value: basics[name],
    onInput: (/** @type {any} */ event) => setBasics({ ...basics, [name]: event.target.value }),
  });
  const own = (/** @type {string} */ name) => {
    const set = (/** @type {any} */ value) => setValues({ ...values, [name]: value });
    const path = name === "serial" ? "deviceId" : `metadata.${name}`;
    const required = make.required?.includes(name);
    return name === "use_https"
      ? html`<${Check} key=${name} label=${t("It uses HTTPS")} checked=${Boolean(now[name])} onChange=${set} />`
      : html`<${Field} key=${`${provider} ${name}`} label=${LABELS[name]} path=${path} faults=${here} hint=${name === "host" && !required ? LOOKED_FOR : required ? "" : t("optional")}><input type=${SECRETS[name] ? "password" : "text"} autocomplete=${SECRETS[name] ? "new-password" : "off"} required=${required}
          inputmode=${/port$/.test(name) ? "numeric" : undefined} value=${now[name] ?? ""} onInput=${(event) => set(event.target.value.trim())} /></${Field}>`;
  };
  return html`<form class="form" onSubmit=${submit}>
    <${Field} label=${t("Provider")} path="provider" faults=${here} hint=${make.hint}><select value=${provider} onChange=${(event) => (setProvider(event.target.value), setValues({}))}>${Object.entries(MAKE_NAMES).map(([id, name]) => html`<option key=${id} value=${id}>${name}</option>`)}</select></${Field}>
    <${Field} label=${t("Name")} path="name" faults=${here} hint=${t("for example: Shelf 3, left")}><input required maxlength="500" ...${text("name")} /></${Field}>
    <${Field} label=${t("Model")} path="modelName" faults=${here} hint=${modelHint(basics.modelName, model)}><input list="models" required=${provider === "vendorA"} maxlength="500" ...${text("modelName")} /></${Field}>
    <datalist id="models">${models.map((each) => html`<option key=${each.vendorModelId} value=${title(each)}></option>`)}</datalist>
    <${Field} label=${t("Nozzle, mm")} path="nozzleDiameter" faults=${here}><input required list="nozzles" ...${text("nozzleDiameter")} /></${Field}>
    <datalist id="nozzles">${(model?.nozzleDiameters ?? ["0.2", "0.4", "0.6", "0.8"]).map((each) => html`<option key=${each} value=${each}></option>`)}</datalist>
    ${make.fields.map(own)}
    <${Field} label=${t("Agent")} path="proxyClientId" faults=${here} hint=${t("the one in the printer's network")}><select ...${text("proxyClientId")}>${agents.map((/** @type {any} */ each) => html`<option key=${each.id} value=${each.id}>${each.name}${each.isOnline ? "" : t(", not connected")}</option>`)}</select></${Field}>
    <p class="count">${rich("On the agent's machine, {command} lists the printers that announce themselves, with what to enter here.", { command: html`<code>sudo gantry-agent discover</code>` })}</p>
    <button class="primary" disabled=${busy}>${t("Register the printer")}</button></form>`;
}

export function Register() {
  const { value: agents, problem } = useAnswer("/v1/agents?sort=name");
  return html`<div class="settings"><${Tabs} /><h1>${t("A new printer")}</h1>
    <p class="controls">${t("Many printers at once:")} <${Import} path="/v1/printers" done=${() => {
      refreshSoon(0);
      go("");
    }} /></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${agents && (agents.length ? html`<${Form} agents=${agents} />` : html`<p class="empty">${rich("A printer is reached by an agent in its network. {pair} first.", { pair: html`<a href="/console/setup">${t("Pair one")}</a>` })}</p>`)}</div>`;
}
