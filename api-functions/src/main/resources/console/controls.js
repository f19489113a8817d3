// Manual commands of a printer. Those that move or heat it are offered only while it is idle, and never by one press.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { get, may, post } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { viewOf } from "./farm.js";
import { stale } from "./live.js";
import { say } from "./toast.js";
import { ConfirmButton } from "./confirm.js";
import { t } from "./texts.js";

const UNLOCKED = 60_000;
const STEPS = [1, 10];
const SPEEDS = [50, 75, 100, 125, 150];
const FANS = [0, 25, 50, 75, 100];
/** @type {Record<string, any>} */
const HOTTEST = { nozzle: 300, bed: 120, chamber: 80 };
/** Makes whose firmware takes the speed as G-code. */
const BY_GCODE = ["firmwareK", "vendorB"];

/**
 * Whether it may be moved and heated: nothing prints or is about to, and what is shown is not old.
 * @param {{ printer: Printer, state: PrinterState | undefined }} given
 */
export const standsStill = ({ printer, state }) =>
  printer.isOnline &&
  !printer.printingJobId &&
  !stale.value &&
  ["idle", "finished", "failed", "cancelled", "error"].includes(state?.status ?? "") &&
  !state?.job?.jobId;

/**
 * @param {string} id
 * @param {any} command
 * @param {string} done
 */
const send = (id, command, done) => attempt(() => post("/v1/printer-commands/send", { ids: [id], command }), done);

/**
 * Looks once more right before: a print may have begun since the button was drawn.
 * @param {string} id
 * @param {any} command
 * @param {string} done
 */
const sendStill = (id, command, done) =>
  standsStill(viewOf(id).peek()) ? send(id, command, done) : say(t("Not sent: the printer is no longer idle"), true);

/** @param {{ id: string, type: any, label: string, reading: any, still: any }} props */
function Heater({ id, type, label, reading, still }) {
  const [wanted, setWanted] = useState("");
  const degrees = Number(wanted);
  const fits = wanted !== "" && degrees > 0 && degrees <= HOTTEST[type];
  const heat = (/** @type {any} */ temperature, /** @type {any} */ done) => ({ command: "set-temperature", type, temperature, done });
  const set = (/** @type {any} */ { done, ...command }) => sendStill(id, command, done);
  return html`<div class="control"><b>${label}</b>${reading && html`<span class="count">${t("{actual} of {target} °C", { actual: Math.round(reading.actual), target: Math.round(reading.target) })}</span>`}
    <label class="hidden" for=${`heat-${type}`}>${t("{label} to, in °C", { label })}</label><input id=${`heat-${type}`} type="number" min="0" max=${HOTTEST[type]} placeholder="°C" disabled=${!still} value=${wanted} onInput=${(event) => setWanted(event.target.value)} />
    ${
      fits && still
        ? html`<${ConfirmButton} word=${t("Heat")} ask=${() => ({
            title: t("Heat to {degrees} °C?", { degrees }),
            kind: "primary",
            facts: [
              [t("Printer"), viewOf(id).peek().printer.name],
              [t("Heater"), label],
            ],
          })} act=${() => set(heat(degrees, t("{label}: to {degrees} °C", { label, degrees })))} />`
        : html`<button disabled>${t("Heat")}</button>`
    }
    <button disabled=${!still} onClick=${() => set(heat(0, t("{label}: heater off", { label })))} aria-label=${t("{label}: off", { label })}>${t("Off")}</button></div>`;
}

/**
 * Steps of the axes, for as long as somebody says that the way is free.
 * @param {{ id: string, axes: any, still: any }} props
 */
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
  const move = (/** @type {any} */ axis, /** @type {any} */ step) =>
    sendStill(id, { command: "move-axis", axes: { [axis]: step } }, `${axis.toUpperCase()} ${step > 0 ? "+" : ""}${step} mm`);
  const home = (/** @type {any} */ homed, /** @type {any} */ done) => sendStill(id, { command: "home-axis", axes: homed }, done);
  return html`<div class="control moves"><b>${t("Move")}</b>
    <button aria-pressed=${able} disabled=${!still} onClick=${() => setFree(!free)}>${able ? t("Lock again") : t("Unlock: nothing is in the way")}</button>
    <${ConfirmButton} word=${t("Home all")} ask=${() => ({ title: t("Home all axes?"), kind: "primary", facts: [[t("Printer"), viewOf(id).peek().printer.name]] })} disabled=${!able} act=${() => home("xyz", t("Homing"))} />
    ${axes.map((/** @type {any} */ axis) => html`<span key=${axis} class="jog" role="group" aria-label=${t("Axis {axis}", { axis: axis.toUpperCase() })}>${[...STEPS.map((step) => -step).reverse(), ...STEPS].map((step) => html`<button key=${step} disabled=${!able} onClick=${() => move(axis, step)}>${axis.toUpperCase()} ${step > 0 ? "+" : "−"}${Math.abs(step)}</button>`)}</span>`)}
  </div>`;
}

/**
 * Objects of the plate that prints, any of which may be left out of the rest of it.
 * @param {{ id: string, jobId: any }} props
 */
function Objects({ id, jobId }) {
  const [objects, setObjects] = useState([]);
  const [gone, setGone] = useState([]);
  useEffect(() => {
    (async () => {
      const job = await get(`/v1/print-jobs/${jobId}?fields=partId,extensions`);
      const { plates } = await get(`/v1/parts/${job.partId}/metadata`);
      setObjects(plates?.find((/** @type {any} */ plate) => plate.id === job.extensions?.["3mf"]?.plateId)?.sliced?.objects ?? []);
    })().catch(() => setObjects([]));
  }, [jobId]);
  const idOf = (/** @type {any} */ object) => object.identify_id ?? object.identifyId ?? object.id ?? object.name;
  const skip = async (/** @type {any} */ object) =>
    (await send(id, { command: "skip-objects", objectIds: [idOf(object)] }, t("{name} is left out", { name: object.name }))) &&
    setGone([...gone, idOf(object)]);
  return (
    objects.length > 1 &&
    html`<details class="control"><summary>${t("Leave out an object ({count})", { count: objects.length })}</summary><ul class="objects">${objects.map(
      (/** @type {any} */ object) => html`<li key=${idOf(object)}>${object.name ?? idOf(object)}
    ${
      gone.includes(idOf(object)) || object.skipped === "true"
        ? html`<span class="count">${t("left out")}</span>`
        : html`<${ConfirmButton} word=${t("Leave out")} ask=${() => ({
            title: t("Leave this object out?"),
            note: t("The rest is printed without it."),
            facts: [
              [t("Object"), object.name ?? idOf(object)],
              [t("Printer"), viewOf(id).peek().printer.name],
            ],
          })} kind="quiet" act=${() => skip(object)} />`
    }</li>`,
    )}</ul></details>`
  );
}

/** @param {{ id: string, printer: Printer, still: any }} props */
function Macros({ id, printer, still }) {
  const [chosen, choose] = useState("");
  const macros = (useAnswer(may("macro.view") && "/v1/macros?sort=name").value ?? []).filter(
    ({ compatibilities }) =>
      !compatibilities.length ||
      compatibilities.some((each) => each.vendorName === printer.vendorName && each.modelName === printer.modelName),
  );
  const macro = macros.find((each) => each.id === chosen);
  return (
    macros.length > 0 &&
    html`<div class="control"><b>${t("Macro")}</b><label class="hidden" for="macro">${t("Macro")}</label><select id="macro" value=${chosen} onChange=${(event) => choose(event.target.value)}><option value="">${t("choose …")}</option>${macros.map((each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}</select>
    <${ConfirmButton} word=${t("Run")} ask=${() => ({ title: t("Run {name}?", { name: macro?.name }), kind: "primary", facts: [[t("Printer"), printer.name]] })} disabled=${!still || !macro} act=${() => sendStill(id, { command: "run-macro", macroId: chosen }, t("{name} is run", { name: macro?.name }))} /></div>`
  );
}

/** @param {{ id: string, view: PrinterView, can: any }} props */
export function Controls({ id, view, can }) {
  const { printer, state } = view;
  const { capability, bindings } = can;
  const still = standsStill(view);
  const steered = (/** @type {any} */ { ref }) =>
    !Object.values(bindings).some((adapter) => adapter.components?.[ref] && !Object.keys(adapter.components[ref]).length);
  const heaters = [
    ["nozzle", "nozzles", t("Nozzle")],
    ["bed", "beds", t("Bed")],
    ["chamber", "chambers", t("Chamber")],
  ].filter(([, kind]) => capability[kind]?.some(steered));
  const axes = (capability.axes ?? []).map((/** @type {any} */ axis) => axis.ref).filter((/** @type {any} */ ref) => /^[xyz]$/.test(ref));
  const group = (/** @type {string} */ label, /** @type {any} */ buttons) =>
    html`<div class="control" role="group" aria-label=${label}><b>${label}</b>${buttons}</div>`;
  return html`<section><h2>${t("Manual control")} ${!still && html`<span class="count">${t("what moves or heats: only while it stands still")}</span>`}</h2><div class="panel">
    ${(capability.lights ?? []).map((/** @type {any} */ { ref, label }) =>
      group(
        label,
        ["on", "off"].map(
          (turn) =>
            html`<button key=${turn} onClick=${() => send(id, { command: "led-control", light: ref, state: turn }, `${label} ${turn}`)}>${turn === "on" ? t("On") : t("Off")}</button>`,
        ),
      ),
    )}
    ${(capability.fans ?? []).map((/** @type {any} */ { ref, label }) =>
      group(
        label,
        FANS.map(
          (speed) =>
            html`<button key=${speed} onClick=${() => send(id, { command: "set-fan", type: ref, speed }, `${label} ${speed} %`)}>${speed || t("Off")}</button>`,
        ),
      ),
    )}
    ${
      state?.status === "printing" &&
      capability.gcode &&
      BY_GCODE.includes(printer.provider) &&
      group(
        t("Speed"),
        SPEEDS.map(
          (speed) =>
            html`<button key=${speed} onClick=${() => send(id, { command: "gcode", lines: `M220 S${speed}` }, `Speed ${speed} %`)}>${speed} %</button>`,
        ),
      )
    }
    ${heaters.map(([type, , label]) => html`<${Heater} key=${type} id=${id} type=${type} label=${label} still=${still} reading=${state?.temperatures?.[type]} />`)}
    ${axes.length > 0 && html`<${Moves} id=${id} axes=${axes} still=${still} />`}
    <${Macros} id=${id} printer=${printer} still=${still} />
    ${capability.printing?.skipObjects && state?.status === "printing" && state.job?.jobId && may("queue.view") && may("part.view") && html`<${Objects} id=${id} jobId=${state.job.jobId} />`}
  </div></section>`;
}
