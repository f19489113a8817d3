// All pieces that views are made of, on one page, for people who change the console: open /console/primitives.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Chart } from "./chart.js";
import { Check, Copied, Field, NumberField, Rows } from "./components.js";
import { ConfirmButton } from "./confirm.js";
import { ids, viewOf } from "./farm.js";
import { Icon } from "./icons.js";
import { LOOKS } from "./looks.js";
import { route } from "./route.js";
import { say } from "./toast.js";

const SCHEMES = { "light dark": "As the system", light: "Light", dark: "Dark" };
const FAULTS = [{ path: "name", code: "required", message: "name is required" }];

/**
 * One piece: its name, the file that has it, and itself.
 * @param {{ name: string, file: any, children: any }} props
 */
const Piece = ({ name, file, children }) =>
  html`<section id=${name.toLowerCase().replaceAll(" ", "-")}><h2>${name} <span class="count">${file}</span></h2>${children}</section>`;

function Form() {
  const [on, setOn] = useState(true);
  const [rows, setRows] = useState([{ text: "08:00" }]);
  return html`<form class="form" onSubmit=${(event) => event.preventDefault()}>
    <${Field} label="Name" path="label" faults=${FAULTS} hint="what a field needs to be filled in"><input defaultValue="Voron 03" /></${Field}>
    <${Field} label="Rejected" path="name" faults=${FAULTS}><input /></${Field}>
    <${NumberField} label="Price in EUR" path="price" faults=${[]} value=${1250} factor=${100} onChange=${() => {}} />
    <${Check} label="A choice" hint="with what it means" checked=${on} onChange=${setOn} />
    <${Rows} list=${rows} onChange=${setRows} start=${{ text: "" }} word="Another row" noun="row" draw=${(row, at, change) => html`<input aria-label=${`Row ${at + 1}`} value=${row.text} onInput=${(event) => change({ text: event.target.value })} />`} />
    <p class="acts"><button class="primary">Save</button><button type="button" class="quiet">Cancel</button></p></form>`;
}

export function Primitives() {
  const printer = ids.value[0];
  const [scheme, setScheme] = useState("light dark");
  return html`<div class="setup primitives" style=${{ colorScheme: scheme }}><h1>Primitives</h1>
    <p class="count">Build views from these pieces. Add a piece here before a second view needs it. Their styles are in the layer primitives of console.css.</p>
    <p class="chips" role="group" aria-label="Scheme">${Object.entries(SCHEMES).map(([value, name]) => html`<button key=${value} class="chip plain" aria-pressed=${scheme === value} onClick=${() => setScheme(value)}>${name}</button>`)}</p>
    <${Piece} name="Button" file="console.css"><p class="acts"><button class="primary">Primary</button><button>Plain</button><button class="quiet">Quiet</button><button class="danger">Danger</button><button disabled>Disabled</button><button><${Icon} name="add" />With an icon</button></p></${Piece}>
    <${Piece} name="Row and list" file="console.css"><ul class="rows">${["First", "Second"].map((each) => html`<li class="row plain" key=${each}><div class="what"><h3>${each} row</h3><p>What it is, and what matters about it</p></div><div class="acts"><button class="quiet">Rename</button></div></li>`)}</ul></${Piece}>
    <${Piece} name="State" file="looks.js"><ul class="filters">${Object.entries(LOOKS).map(([kind, { word, icon }]) => html`<li key=${kind} data-state=${kind}><p class="state"><${Icon} name=${icon} />${word}</p></li>`)}</ul></${Piece}>
    <${Piece} name="Dialog" file="confirm.js"><p><${ConfirmButton} word="Delete this part" ask=${() => ({
      title: "Delete this part?",
      keep: "Keep it",
      facts: [
        ["Part", "Hinge"],
        ["Printed", "12 times"],
      ],
      note: "Deleting cannot be undone.",
    })} act=${() => say("Deleted")} /></p></${Piece}>
    <${Piece} name="Menu" file="filamentchooser.js"><div class="filters"><details class="menu"><summary>Choose</summary><div><p>What the menu holds</p></div></details></div></${Piece}>
    <${Piece} name="Toast" file="toast.js"><p class="acts"><button onClick=${() => say("Saved")}>Show a toast</button><button onClick=${() => say("The farm rejects it", true)}>Show a problem</button><button onClick=${() => say("Job cancelled", false, () => say("It is queued again"))}>Show one with Undo</button></p></${Piece}>
    <${Piece} name="Stat" file="console.css"><dl class="facts across"><div><dt>30 days</dt><dd>41 printed, 2 failed</dd></div><div><dt>Busy</dt><dd>310 h</dd></div></dl></${Piece}>
    <${Piece} name="Form section" file="components.js"><${Form} /></${Piece}>
    <${Piece} name="Tabs" file="setup.js"><nav class="tabs" aria-label="Tabs"><a class="tab" href=${`/console/${route.value.path}`} aria-current="page">This one</a><a class="tab" href="/console/">The fleet</a></nav></${Piece}>
    <${Piece} name="Table" file="console.css"><table class="sums numbers"><thead><tr><th scope="col">Filament</th><th scope="col">Grams</th></tr></thead><tbody><tr><td>PLA black</td><td>812</td></tr><tr><td>PETG white</td><td>95</td></tr></tbody></table></${Piece}>
    <${Piece} name="Chart" file="chart.js">${printer ? html`<${Chart} id=${printer} online=${viewOf(printer).value.printer.isOnline} />` : html`<p class="count">It draws the temperatures of a printer, and this store has none.</p>`}</${Piece}>
    <${Piece} name="Command to copy" file="components.js"><${Copied} text="gantry-agent pair" /></${Piece}>
    <${Piece} name="Empty state" file="console.css"><p class="empty">Nothing waits here. Jobs appear when somebody prints a part.</p></${Piece}>
  </div>`;
}
