// Manual commands of a printer. Those that move or heat it are offered only while it is idle, and never by one press.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { get, may, post } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { viewOf } from "./farm.js";
import { stale } from "./live.js";
import { say } from "./toast.js";
import { ConfirmButton } from "./confirm.js";

const UNLOCKED = 60_000;
const STEPS = [1, 10];
const SPEEDS = [50, 75, 100, 125, 150];
const FANS = [0, 25, 50, 75, 100];
const HOTTEST = { nozzle: 300, bed: 120, chamber: 80 };
/** Makes whose firmware takes the speed as G-code. */
const BY_GCODE = ["firmwareK", "vendorB"];

/** Whether it may be moved and heated: nothing prints or is about to, and what is shown is not old. */
export const standsStill = ({ printer, state }) => printer.isOnline && !printer.printingJobId && !stale.value && ["idle", "finished", "failed", "cancelled", "error"].includes(state?.status) && !state.job?.jobId;

const send = (id, command, done) => attempt(() => post("/v1/printer-commands/send", { ids: [id], command }), done);

/** Looks once more right before: a print may have begun since the button was drawn. */
const sendStill = (id, command, done) => (standsStill(viewOf(id).peek()) ? send(id, command, done) : say("Not sent: the printer does not stand still any more", true));

function Heater({ id, type, label, reading, still }) {
  const [wanted, setWanted] = useState("");
  const degrees = Number(wanted);
  const fits = wanted !== "" && degrees > 0 && degrees <= HOTTEST[type];
  const heat = (temperature, done) => ({ command: "set-temperature", type, temperature, done });
  const set = ({ done, ...command }) => sendStill(id, command, done);
  return html`<div class="control"><b>${label}</b>${reading && html`<span class="count">${Math.round(reading.actual)} of ${Math.round(reading.target)} °C</span>`}
    <label class="hidden" for=${`heat-${type}`}>${label} to, in °C</label><input id=${`heat-${type}`} type="number" min="0" max=${HOTTEST[type]} placeholder="°C" disabled=${!still} value=${wanted} onInput=${(event) => setWanted(event.target.value)} />
    ${fits && still ? html`<${ConfirmButton} word="Heat" ask=${() => ({ title: `Heat to ${degrees} °C?`, kind: "primary", facts: [["Printer", viewOf(id).peek().printer.name], ["Heater", label]] })} act=${() => set(heat(degrees, `${label}: to ${degrees} °C`))} />` : html`<button disabled>Heat</button>`}
    <button disabled=${!still} onClick=${() => set(heat(0, `${label}: heater off`))} aria-label=${`${label}: off`}>Off</button></div>`;
}

/** Steps of the axes, for as long as somebody says that the way is free. */
function Moves({ id, axes, still }) {
  const [free, setFree] = useState(false);
  useEffect(() => {
    const timer = free && setTimeout(() => setFree(false), UNLOCKED);
    return () => clearTimeout(timer);
  }, [free]);
  useEffect(() => {
    still || setFree(false);
  }, [still]);
  const able = free && still;
  const move = (axis, step) => sendStill(id, { command: "move-axis", axes: { [axis]: step } }, `${axis.toUpperCase()} ${step > 0 ? "+" : ""}${step} mm`);
  const home = (homed, done) => sendStill(id, { command: "home-axis", axes: homed }, done);
  return html`<div class="control moves"><b>Move</b>
    <button aria-pressed=${able} disabled=${!still} onClick=${() => setFree(!free)}>${able ? "Lock again" : "Unlock: the way is free"}</button>
    <${ConfirmButton} word="Home all" ask=${() => ({ title: "Home all axes?", kind: "primary", facts: [["Printer", viewOf(id).peek().printer.name]] })} disabled=${!able} act=${() => home("xyz", "Homing")} />
    ${axes.map((axis) => html`<span key=${axis} class="jog" role="group" aria-label=${`Axis ${axis.toUpperCase()}`}>${[...STEPS.map((step) => -step).reverse(), ...STEPS].map((step) => html`<button key=${step} disabled=${!able} onClick=${() => move(axis, step)}>${axis.toUpperCase()} ${step > 0 ? "+" : "−"}${Math.abs(step)}</button>`)}</span>`)}
  </div>`;
}

/** Objects of the plate that prints, any of which may be left out of the rest of it. */
function Objects({ id, jobId }) {
  const [objects, setObjects] = useState([]);
  const [gone, setGone] = useState([]);
  useEffect(() => {
    (async () => {
      const job = await get(`/v1/print-jobs/${jobId}?fields=partId,extensions`);
      const { plates } = await get(`/v1/parts/${job.partId}/metadata`);
      setObjects(plates?.find((plate) => plate.id === job.extensions?.["3mf"]?.plateId)?.sliced?.objects ?? []);
    })().catch(() => setObjects([]));
  }, [jobId]);
  const idOf = (object) => object.identify_id ?? object.identifyId ?? object.id ?? object.name;
  const skip = async (object) => (await send(id, { command: "skip-objects", objectIds: [idOf(object)] }, `${object.name} is left out`)) && setGone([...gone, idOf(object)]);
  return objects.length > 1 && html`<details class="control"><summary>Leave out an object (${objects.length})</summary><ul class="objects">${objects.map((object) => html`<li key=${idOf(object)}>${object.name ?? idOf(object)}
    ${gone.includes(idOf(object)) || object.skipped === "true" ? html`<span class="count">left out</span>` : html`<${ConfirmButton} word="Leave out" ask=${() => ({ title: "Leave this object out?", note: "The rest is printed without it.", facts: [["Object", object.name ?? idOf(object)], ["Printer", viewOf(id).peek().printer.name]] })} kind="quiet" act=${() => skip(object)} />`}</li>`)}</ul></details>`;
}

function Macros({ id, printer, still }) {
  const [chosen, choose] = useState("");
  const macros = (useAnswer(may("macro.view") && "/v1/macros?sort=name").value ?? [])
    .filter(({ compatibilities }) => !compatibilities.length || compatibilities.some((each) => each.vendorName === printer.vendorName && each.modelName === printer.modelName));
  const macro = macros.find((each) => each.id === chosen);
  return macros.length > 0 && html`<div class="control"><b>Macro</b><label class="hidden" for="macro">Macro</label><select id="macro" value=${chosen} onChange=${(event) => choose(event.target.value)}><option value="">choose …</option>${macros.map((each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}</select>
    <${ConfirmButton} word="Run" ask=${() => ({ title: `Run ${macro.name}?`, kind: "primary", facts: [["Printer", printer.name]] })} disabled=${!still || !macro} act=${() => sendStill(id, { command: "run-macro", macroId: chosen }, `${macro.name} is run`)} /></div>`;
}

export function Controls({ id, view, can }) {
  const { printer, state } = view;
  const { capability, bindings } = can;
  const still = standsStill(view);
  const steered = ({ ref }) => !Object.values(bindings).some((adapter) => adapter.components?.[ref] && !Object.keys(adapter.components[ref]).length);
  const heaters = [["nozzle", "nozzles", "Nozzle"], ["bed", "beds", "Bed"], ["chamber", "chambers", "Chamber"]].filter(([, kind]) => capability[kind]?.some(steered));
  const axes = (capability.axes ?? []).map((axis) => axis.ref).filter((ref) => /^[xyz]$/.test(ref));
  const group = (label, buttons) => html`<div class="control" role="group" aria-label=${label}><b>${label}</b>${buttons}</div>`;
  return html`<section><h2>By hand ${!still && html`<span class="count">what moves or heats: only while it stands still</span>`}</h2><div class="panel">
    ${(capability.lights ?? []).map(({ ref, label }) => group(label, ["on", "off"].map((turn) => html`<button key=${turn} onClick=${() => send(id, { command: "led-control", light: ref, state: turn }, `${label} ${turn}`)}>${turn === "on" ? "On" : "Off"}</button>`)))}
    ${(capability.fans ?? []).map(({ ref, label }) => group(label, FANS.map((speed) => html`<button key=${speed} onClick=${() => send(id, { command: "set-fan", type: ref, speed }, `${label} ${speed} %`)}>${speed || "Off"}</button>`)))}
    ${state?.status === "printing" && capability.gcode && BY_GCODE.includes(printer.provider) && group("Speed", SPEEDS.map((speed) => html`<button key=${speed} onClick=${() => send(id, { command: "gcode", lines: `M220 S${speed}` }, `Speed ${speed} %`)}>${speed} %</button>`))}
    ${heaters.map(([type, , label]) => html`<${Heater} key=${type} id=${id} type=${type} label=${label} still=${still} reading=${state?.temperatures?.[type]} />`)}
    ${axes.length > 0 && html`<${Moves} id=${id} axes=${axes} still=${still} />`}
    <${Macros} id=${id} printer=${printer} still=${still} />
    ${capability.printing?.skipObjects && state?.status === "printing" && state.job?.jobId && may("queue.view") && may("part.view") && html`<${Objects} id=${id} jobId=${state.job.jobId} />`}
  </div></section>`;
}
