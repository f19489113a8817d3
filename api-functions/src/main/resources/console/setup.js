// Setting up: agents and how one is paired, and who is signed in.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { farmAddress, get, isReachable, may, own, post, send } from "./api.js";
import { attempt, useAnswer, useOnce } from "./requests.js";
import { now } from "./live.js";
import { Copied, Secret } from "./components.js";
import { Code } from "./qr.js";
import { route } from "./route.js";
import { say } from "./toast.js";
import { ConfirmButton } from "./confirm.js";
import { ago, day, timeOfDay } from "./format.js";
import { rich, t } from "./texts.js";

const AGAIN = 20_000;

/** @param {any} time */
export const since = (time) => (time ? t("{age} ago", { age: ago(Math.max(0, now.value - Date.parse(time))) }) : "never");

const TABS = [
  { path: "setup", name: t("Agents"), needs: ["agent.view", "apiKey.view"] },
  { path: "register", name: t("New printer"), needs: ["printer.create"] },
  { path: "settings", name: t("Store"), needs: ["settings.view"] },
  { path: "deliveries", name: t("Webhook"), needs: ["settings.view"] },
  { path: "channels", name: t("Notifications"), needs: ["settings.view"] },
  { path: "keys", name: t("API keys"), needs: ["apiKey.view"] },
  { path: "slicers", name: t("Slicer"), needs: ["part.create"] },
  { path: "spools", name: t("Spools"), needs: ["material.instance.view"] },
  { path: "filament", name: t("Filament"), needs: ["material.view"] },
];

/** Links from one section of the setup to the others; where they do not fit, the current one is scrolled into view. */
export function Tabs() {
  const tabs = useRef(null);
  const here = route.value.path;
  useEffect(() => tabs.current.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [here]);
  return html`<nav class="tabs" aria-label=${t("Sections of the setup")} ref=${tabs}>${TABS.filter(({ needs }) => needs.some(may)).map(({ path, name }) => html`<a key=${path} class="tab" href=${`/console/${path}`} aria-current=${here === path ? "page" : undefined}>${name}</a>`)}</nav>`;
}

/** Says that links and commands work on the farm's own machine only. */
export const Unreachable = () =>
  !isReachable() &&
  html`<p class="problem">${rich("The farm accepts connections from its own machine only, so this works only there. Start it with {option}, or set {setting}.", { option: html`<code>--host 0.0.0.0</code>`, setting: html`<code>gantry.public-url</code>` })}</p>`;

function Pairing() {
  const [code, setCode] = useState(null);
  const { busy, once } = useOnce(() => post("/v1/agents/pairing-codes").then(setCode, (problem) => say(problem.message, true)));
  const command = code && `sudo gantry-agent pair --api ${farmAddress()} --code ${code.code}`;
  return html`<div class="pairing">
    <button disabled=${busy} onClick=${once}>${t("Pair an agent …")}</button>
    ${
      code &&
      html`<p>${t("On the machine beside the printers, until {time}:", { time: timeOfDay(code.expiresAt) })}</p>
      <${Copied} text=${command} />`
    }
  </div>`;
}

function Agents() {
  const { value: agents, problem } = useAnswer("/v1/agents?sort=name", { every: () => AGAIN });
  return html`<section><h2>${t("Agents")}</h2>${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <p class="count">${t("The server has version {version}. Agents work with it if their version is the one before or after it, such as 1.1 and 1.2.", { version: own().version })}</p>
    ${agents?.length === 0 && html`<p class="count">${t("No agent is paired yet. An agent runs beside the printers and controls them.")}</p>`}
    ${
      agents?.length > 0 &&
      html`<ul class="rows">${agents.map(
        (agent) => html`<li class="row plain" key=${agent.id}>
      <div class="what"><h3>${agent.name}</h3><p>${t("version {version} · {platform}", { version: agent.version, platform: agent.platform })}</p></div>
      <p class="status ${agent.isOnline ? "" : "problem"}">${agent.isOnline ? t("Connected") : t("Not connected, last seen {age}", { age: since(agent.lastSeenAt) })}</p></li>`,
      )}</ul>`
    }
    ${may("agent.manage") && html`<${Pairing} />`}
  </section>`;
}

function Sessions() {
  const { value: sessions, problem, again } = useAnswer("/v1/sessions?sort=createdAt:desc&include=key", { every: () => AGAIN });
  const [own, setOwn] = useState("");
  useEffect(() => {
    get("/v1/sessions/current").then(
      (session) => setOwn(session.id),
      () => {},
    );
  }, []);
  const end = (/** @type {any} */ session) =>
    attempt(() => send("DELETE", `/v1/sessions/${session.id}`), t("{name} is signed out", { name: session.name })).then(again);
  return html`<section><h2>${t("Signed in")}</h2>${problem && html`<p class="problem" role="alert">${problem}</p>`}<ul class="rows">${(
    sessions ?? []
  ).map(
    (session) => html`<li class="row plain" key=${session.id}>
    <div class="what"><h3>${session.name}${session.id === own && html` <span class="count">${t("this browser")}</span>`}</h3>
      <p>${[session.key?.name && t("key {name}", { name: session.key.name }), session.address, t("used {age}", { age: since(session.lastUsedAt) }), t("until {time}", { time: day(session.expiresAt) })].filter(Boolean).join(" · ")}</p></div>
    <div class="acts">${may("apiKey.delete") && session.id !== own && html`<${ConfirmButton} word=${t("Sign out")} ask=${() => ({ title: t("Sign out {name}?", { name: session.name }), facts: [[t("Address"), session.address]] })} kind="quiet" act=${() => end(session)} />`}</div></li>`,
  )}</ul></section>`;
}

/** A screen signs in by a key that opens the wall alone; it is shown this once, as a link and its code. */
function Walls() {
  const [link, setLink] = useState("");
  const { busy, once } = useOnce(() =>
    post("/v1/api-keys", { name: "Wall", permissions: ["wall.view"] }).then(
      ({ key }) => setLink(`${farmAddress()}/console/wall#key=${key}`),
      (problem) => say(problem.message, true),
    ),
  );
  return html`<section><h2>${t("Wall")}</h2><p class="count">${t("For a screen beside the printers: pictures and states, without buttons.")}</p>
    <p class="controls"><a class="button" href="/console/wall">${t("Open it here")}</a>${may("apiKey.create") && html`<button disabled=${busy} onClick=${once}>${t("Create a link for a screen")}</button>`}</p>
    ${link && html`<div class="walllink"><${Secret} label=${t("Open this link on the screen. It is shown only once. Its key is called Wall and can be deleted under API keys.")} text=${link} /><${Code} text=${link} label=${t("Code of the link")} /><${Unreachable} /></div>`}</section>`;
}

export function Setup() {
  return html`<div class="setup"><${Tabs} /><h1 class="hidden">${t("Setup")}</h1>${may("agent.view") && html`<${Agents} />`}${may("wall.view") && html`<${Walls} />`}${may("apiKey.view") && html`<${Sessions} />`}</div>`;
}
