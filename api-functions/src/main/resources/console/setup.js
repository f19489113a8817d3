// Setting up: agents and how one is paired, and who is signed in.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { farmAddress, get, isReachable, may, post, send, session } from "./api.js";
import { attempt, useAnswer, useOnce } from "./requests.js";
import { now } from "./live.js";
import { Copied, Secret } from "./components.js";
import { Code } from "./qr.js";
import { route } from "./route.js";
import { say } from "./toast.js";
import { ConfirmButton } from "./confirm.js";
import { ago, day, timeOfDay } from "./format.js";

const AGAIN = 20_000;

export const since = (time) => (time ? `${ago(Math.max(0, now.value - Date.parse(time)))} ago` : "never");

const TABS = [
  { path: "setup", name: "Agents", needs: ["agent.view", "apiKey.view"] },
  { path: "register", name: "New printer", needs: ["printer.create"] },
  { path: "settings", name: "Store", needs: ["settings.view"] },
  { path: "deliveries", name: "Webhook", needs: ["settings.view"] },
  { path: "keys", name: "API keys", needs: ["apiKey.view"] },
  { path: "slicers", name: "Slicer", needs: ["part.create"] },
  { path: "spools", name: "Spools", needs: ["material.instance.view"] },
  { path: "filament", name: "Filament", needs: ["material.view"] },
];

/** From one view of what is set up to the others. */
export const Tabs = () => html`<nav class="tabs" aria-label="What is set up">${TABS.filter(({ needs }) => needs.some(may)).map(({ path, name }) => html`<a key=${path} class="tab" href=${`/console/${path}`} aria-current=${route.value.path === path ? "page" : undefined}>${name}</a>`)}</nav>`;

/** Says that links and commands work on the farm's own machine only. */
export const Unreachable = () => !isReachable() && html`<p class="problem">The farm accepts connections from its own machine only, so this works only there. Start it with <code>--host 0.0.0.0</code>, or set <code>gantry.public-url</code>.</p>`;

function Pairing() {
  const [code, setCode] = useState(null);
  const { busy, once } = useOnce(() => post("/v1/agents/pairing-codes").then(setCode, (problem) => say(problem.message, true)));
  const command = code && `sudo gantry-agent pair --api ${farmAddress()} --code ${code.code}`;
  return html`<div class="pairing">
    <button disabled=${busy} onClick=${once}>Pair an agent …</button>
    ${code && html`<p>On the machine beside the printers, until ${timeOfDay(code.expiresAt)}:</p>
      <${Copied} text=${command} />`}
  </div>`;
}

function Agents() {
  const { value: agents, problem } = useAnswer("/v1/agents?sort=name", { every: () => AGAIN });
  return html`<section><h2>Agents</h2>${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <p class="count">The server has version ${session.value.version}. Agents work with it if their version is the one before or after it, such as 1.1 and 1.2.</p>
    ${agents?.length === 0 && html`<p class="count">No agent is paired yet. One runs beside the printers and speaks to them.</p>`}
    ${agents?.length > 0 && html`<ul class="rows">${agents.map((agent) => html`<li class="row plain" key=${agent.id}>
      <div class="what"><h3>${agent.name}</h3><p>version ${agent.version} · ${agent.platform}</p></div>
      <p class="status ${agent.isOnline ? "" : "problem"}">${agent.isOnline ? "Connected" : `Not connected, last seen ${since(agent.lastSeenAt)}`}</p></li>`)}</ul>`}
    ${may("agent.manage") && html`<${Pairing} />`}
  </section>`;
}

function Sessions() {
  const { value: sessions, problem, again } = useAnswer("/v1/sessions?sort=createdAt:desc&include=key", { every: () => AGAIN });
  const [own, setOwn] = useState("");
  useEffect(() => {
    get("/v1/sessions/current").then((session) => setOwn(session.id), () => {});
  }, []);
  const end = (session) => attempt(() => send("DELETE", `/v1/sessions/${session.id}`), `${session.name} is signed out`).then(again);
  return html`<section><h2>Signed in</h2>${problem && html`<p class="problem" role="alert">${problem}</p>`}<ul class="rows">${(sessions ?? []).map((session) => html`<li class="row plain" key=${session.id}>
    <div class="what"><h3>${session.name}${session.id === own && html` <span class="count">this browser</span>`}</h3>
      <p>${[session.key?.name && `key ${session.key.name}`, session.address, `used ${since(session.lastUsedAt)}`, `until ${day(session.expiresAt)}`].filter(Boolean).join(" · ")}</p></div>
    <div class="acts">${may("apiKey.delete") && session.id !== own && html`<${ConfirmButton} word="Sign out" ask=${() => ({ title: `Sign out ${session.name}?`, facts: [["Address", session.address]] })} kind="quiet" act=${() => end(session)} />`}</div></li>`)}</ul></section>`;
}

/** A screen signs in by a key that opens the wall alone; it is shown this once, as a link and its code. */
function Walls() {
  const [link, setLink] = useState("");
  const { busy, once } = useOnce(() => post("/v1/api-keys", { name: "Wall", permissions: ["wall.view"] }).then(({ key }) => setLink(`${farmAddress()}/console/wall#key=${key}`), (problem) => say(problem.message, true)));
  return html`<section><h2>Wall</h2><p class="count">For a screen beside the printers: pictures and states, and nothing that could be pressed.</p>
    <p class="acts"><a class="button" href="/console/wall">Open it here</a>${may("apiKey.create") && html`<button disabled=${busy} onClick=${once}>Make a link for a screen</button>`}</p>
    ${link && html`<div class="walllink"><${Secret} label="Open this on the screen; it is shown this once. Its key is called Wall, and can be deleted under API keys." text=${link} /><${Code} text=${link} label="Code of the link" /><${Unreachable} /></div>`}</section>`;
}

export function Setup() {
  return html`<div class="setup"><${Tabs} /><h1 class="hidden">Setup</h1>${may("agent.view") && html`<${Agents} />`}${may("wall.view") && html`<${Walls} />`}${may("apiKey.view") && html`<${Sessions} />`}</div>`;
}
