// G-code layer by layer, drawn while it is read.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { decimals } from "./format.js";
import { addressOf, reason } from "./requests.js";
import { entries, readText } from "./archive.js";
import { LayerReader } from "./gcode.js";
import { many, t } from "./texts.js";

const MAX_BYTES = 50_000_000;
const TELL_EVERY = 200;
const LINE = 0.42; // mm, about as wide as what a nozzle of 0.4 lays
const GCODE = /^Metadata\/plate_(\d+)\.gcode$/;

/**
 * The layer, and the one below it faintly, as large as all layers need.
 * @param {any} canvas
 * @param {any} reader
 * @param {number} index
 */
function draw(canvas, reader, index) {
  const scale = devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = canvas.clientHeight * scale;
  const { left, right, front, back } = reader.bounds;
  const zoom = Math.min((canvas.width - 32 * scale) / Math.max(1, right - left), (canvas.height - 32 * scale) / Math.max(1, back - front));
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  const stroke = (/** @type {any} */ layer, /** @type {any} */ color) => {
    if (layer) {
      pen.beginPath();
      for (let i = 0; i < layer.lines.length; i += 4) {
        pen.moveTo(layer.lines[i], layer.lines[i + 1]);
        pen.lineTo(layer.lines[i + 2], layer.lines[i + 3]);
      }
      pen.strokeStyle = color;
      pen.stroke();
    }
  };
  pen.setTransform(zoom, 0, 0, -zoom, canvas.width / 2 - ((left + right) / 2) * zoom, canvas.height / 2 + ((front + back) / 2) * zoom);
  pen.lineWidth = Math.max(LINE * 0.8, 1 / zoom);
  pen.lineCap = "round";
  stroke(reader.layers[index - 1], style.borderTopColor);
  stroke(reader.layers[index], style.color);
}

/** @param {{ uri: string }} props */
export function Layers({ uri }) {
  const canvas = useRef(null);
  const reader = useRef(new LayerReader());
  const [state, setState] = useState({ count: 0, text: t("Reading …"), problem: "" });
  const [index, setIndex] = useState(0);
  const [plates, setPlates] = useState([]);
  const [plate, setPlate] = useState("");
  useEffect(() => {
    let gone = false;
    const layers = new LayerReader();
    const read = async () => {
      const response = await fetch(await addressOf(uri));
      if (!response.ok) {
        throw new Error(t("The file could not be fetched: {status}", { status: response.status }));
      }
      let stream = response.body;
      if (/\.3mf$/i.test(uri)) {
        const archive = entries(await response.arrayBuffer());
        const names = [...archive.keys()]
          .filter((name) => GCODE.test(name))
          .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
        if (!names.length) {
          throw new Error(t("The file holds no G-code"));
        }
        gone || setPlates(names);
        stream = /** @type {any} */ (archive.get(names.includes(plate) ? plate : names[0]))();
      }
      let size = 0;
      let told = performance.now();
      await readText(stream, (/** @type {string} */ text) => {
        if (!size && text.startsWith("GCDE")) {
          throw new Error(t("Binary G-code cannot be shown in layers"));
        }
        size += text.length;
        layers.feed(text);
        if (!gone && performance.now() - told > TELL_EVERY) {
          told = performance.now();
          setState({ count: layers.layers.length, text: t("{size} MB read …", { size: decimals(size / 1e6, 0) }), problem: "" });
        }
        return !gone && size < MAX_BYTES;
      });
      layers.end();
      return size < MAX_BYTES ? "" : t("Only the first {size} MB are shown.", { size: MAX_BYTES / 1e6 });
    };
    reader.current = layers;
    setIndex(0);
    read().then(
      (text) =>
        gone ||
        setState({ count: layers.layers.length, text, problem: layers.layers.length ? "" : t("Nothing is extruded in this file.") }),
      (problem) => gone || setState({ count: 0, text: "", problem: reason(problem) }),
    );
    return () => (gone = true);
  }, [uri, plate]);
  const layer = reader.current.layers[index];
  useEffect(() => {
    const shown = canvas.current;
    if (!shown) {
      return undefined;
    }
    const observer = new ResizeObserver(() => draw(shown, reader.current, index));
    observer.observe(shown);
    return () => observer.disconnect();
  }, [index, layer, state.text, state.count > 0]);
  const told = layer && t("Layer {index} of {count}, at {z} mm", { index: index + 1, count: state.count, z: decimals(layer.z, 2) });
  return html`<section class="look"><h2 class="hidden">${t("Layers")}</h2>
    ${
      state.problem
        ? html`<p class="problem" role="alert">${state.problem}</p>`
        : html`
      ${layer && html`<canvas ref=${canvas} role="img" aria-label=${told}></canvas>`}
      <div class="bar">${
        layer &&
        html`<input type="range" min="1" max=${state.count} value=${index + 1} aria-label=${t("Layer")} aria-valuetext=${told} onInput=${(event) => setIndex(event.target.valueAsNumber - 1)} />
        <span>${html`${told} · ${many(layer.lines.length / 4, "{count} line", "{count} lines")}`}</span>`
      }
        ${plates.length > 1 && html`<label class="pick">${t("Plate")} <select value=${plate || plates[0]} onChange=${(event) => setPlate(event.target.value)}>${plates.map((/** @type {string} */ name) => html`<option key=${name} value=${name}>${GCODE.exec(name)?.[1]}</option>`)}</select></label>`}
        <span role="status">${state.text}</span></div>`
    }
  </section>`;
}
