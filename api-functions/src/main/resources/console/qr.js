// QR codes, drawn as one path.
import { generate } from "lean-qr";
import { html } from "./html.js";

const QUIET = 4;

/** @param {{ text: string, label: string }} props */
export function Code({ text, label }) {
  const code = generate(text);
  let path = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      path += code.get(x, y) ? `M${x} ${y}h1v1h-1z` : "";
    }
  }
  const side = code.size + 2 * QUIET;
  return html`<svg class="qr" role="img" aria-label=${label} viewBox=${`${-QUIET} ${-QUIET} ${side} ${side}`} shape-rendering="crispEdges"><path d=${`M${-QUIET} ${-QUIET}h${side}v${side}h${-side}z`} class="paper" /><path d=${path} class="ink" /></svg>`;
}
