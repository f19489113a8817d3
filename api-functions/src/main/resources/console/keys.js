// API keys: who may do what by a program. A key is shown once, when it is made.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch, post, send } from "./api.js";
import { attempt, useAnswer, useSending } from "./requests.js";
import { Icon } from "./icons.js";
import { Check, Field, Naming, Secret } from "./components.js";
import { since, Tabs } from "./setup.js";
import { ConfirmButton } from "./confirm.js";
import { day } from "./format.js";
import { many, t } from "./texts.js";

/** @param {string} permission */
const family = (permission) => permission.slice(0, permission.lastIndexOf("."));
/** @type {Record<string, string>} */
const NAMES = { "material.instance": t("Spools"), material: t("Materials"), agent: t("Agents") };
/** @param {string} name */
const inWords = (name) => {
  if (NAMES[name]) {
    return NAMES[name];
  }
  const words = name
    .replace(/[A-Z]/g, (/** @type {any} */ letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(".", " ")
    .replace("api key", "API key")
    .replace("sku", "SKU");
  return words[0].toUpperCase() + words.slice(1);
};

/**
 * All permissions by what they are about; those that the session lacks cannot be given on.
 * @param {{ types: any, chosen: any, onChange: (...given: any[]) => any }} props
 */
function Permissions({ types, chosen, onChange }) {
  const [text, setText] = useState("");
  const families = /** @type {[string, string[]][]} */ (Object.entries(Object.groupBy(types, family))).filter(
    ([name, list]) => !text || [inWords(name), ...list].some((each) => each.toLowerCase().includes(text.toLowerCase())),
  );
  const set = (/** @type {string[]} */ names, /** @type {boolean} */ on) =>
    onChange(on ? [...new Set([...chosen, ...names])] : chosen.filter((/** @type {any} */ each) => !names.includes(each)));
  return html`<fieldset class="permissions"><legend>${t("Permissions")} <span class="count">${many(chosen.length, "{count} permission", "{count} permissions")}</span></legend>
    <p class="acts"><label class="search"><${Icon} name="search" /><span class="hidden">${t("Search permissions")}</span><input type="search" placeholder=${t("Permission")} value=${text} onInput=${(event) => setText(event.target.value)} /></label>
      <button type="button" class="quiet" onClick=${() =>
        set(
          types.filter((/** @type {any} */ each) => each.endsWith(".view") && may(each)),
          true,
        )}>${t("All that only read")}</button>
      <button type="button" class="quiet" onClick=${() => onChange([])}>${t("None")}</button></p>
    <ul>${families.map(
      ([
        name,
        list,
      ]) => html`<li key=${name}><${Check} label=${html`<b>${inWords(name)}</b>`} checked=${list.every((each) => chosen.includes(each))} disabled=${!list.some(may)} onChange=${(on) => set(list.filter(may), on)} />
      <span class="line">${list.map((each) => html`<${Check} key=${each} label=${each.slice(family(each).length + 1)} checked=${chosen.includes(each)} disabled=${!may(each)} onChange=${(on) => set([each], on)} />`)}</span></li>`,
    )}</ul>
    ${!families.length && html`<p class="count">${t("No permission matches.")}</p>`}</fieldset>`;
}

/** @param {{ made: (...given: any[]) => any, cancel: (...given: any[]) => any }} props */
function Create({ made, cancel }) {
  const { value: types } = useAnswer("/v1/permissions/types");
  const [key, setKey] = useState({ name: "", permissions: [], fullAccess: false, expires: "", addresses: "", perMinute: "" });
  const set = (/** @type {string} */ name) => (/** @type {any} */ event) => setKey({ ...key, [name]: event.target.value });
  const { faults, submit, busy } = useSending(async () =>
    made(
      await post("/v1/api-keys", {
        name: key.name.trim(),
        permissions: key.fullAccess ? [] : key.permissions,
        fullAccess: key.fullAccess,
        ipAllowlist: key.addresses.match(/[^\s,]+/g), // null, which is from everywhere, where there is none
        ...(key.perMinute && { requestsPerMinute: Number(key.perMinute) }),
        ...(key.expires && { expiresAt: new Date(`${key.expires}T23:59:59`).toISOString() }),
      }),
    ),
  );
  return html`<form class="form" onSubmit=${submit}><h2>${t("A new key")}</h2>
    <${Field} label=${t("Name")} path="name" faults=${faults} hint=${t("what it is for")}><input required maxlength="200" value=${key.name} onInput=${set("name")} /></${Field}>
    ${types?.every(may) && html`<${Check} label=${t("Everything, now and in later versions")} checked=${key.fullAccess} onChange=${(on) => setKey({ ...key, fullAccess: on })} />`}
    ${types && !key.fullAccess && html`<${Permissions} types=${types} chosen=${key.permissions} onChange=${(permissions) => setKey({ ...key, permissions })} />`}
    <${Field} label=${t("Expires")} path="expiresAt" faults=${faults} hint=${t("if empty, it never expires")}><input type="date" value=${key.expires} onInput=${set("expires")} /></${Field}>
    <${Field} label=${t("Only from these addresses")} path="ipAllowlist" faults=${faults} hint=${t("for example 192.0.2.7 or 10.0.0.0/8; if empty, from everywhere")}><input value=${key.addresses} onInput=${set("addresses")} /></${Field}>
    <${Field} label=${t("Requests a minute")} path="requestsPerMinute" faults=${faults} hint=${t("if empty, the limit of the installation")}><input type="number" min="1" max="60000" value=${key.perMinute} onInput=${set("perMinute")} /></${Field}>
    <p class="acts"><button class="primary" disabled=${busy || !key.name.trim()}>${t("Create the key")}</button><button type="button" class="quiet" onClick=${cancel}>${t("Cancel")}</button></p>
  </form>`;
}

/** @param {{ each: any, again: (...given: any[]) => any }} props */
function Key({ each, again }) {
  const [naming, setNaming] = useState(false);
  const over = each.expiresAt && Date.parse(each.expiresAt) < Date.now();
  return html`<li class="row plain key"><div class="what"><h3>${each.name} ${each.managed && html`<span class="count">${t("of an integration")}</span>`}</h3>
      <p>${[
        each.fullAccess ? t("everything") : many(each.permissions?.length ?? 0, "{count} permission", "{count} permissions"),
        t("used {age}", { age: since(each.lastUsedAt) }),
        each.expiresAt
          ? over
            ? t("ended {day}", { day: day(each.expiresAt) })
            : t("until {day}", { day: day(each.expiresAt) })
          : t("never expires"),
        each.ipAllowlist?.length > 0 && t("from {list}", { list: each.ipAllowlist.join(", ") }),
        each.requestsPerMinute && t("{requestsPerMinute} a minute", { requestsPerMinute: each.requestsPerMinute }),
      ]
        .filter(Boolean)
        .join(" · ")}</p>
      ${(over || !each.active) && html`<p class="problem">${over ? t("It has expired.") : t("It is switched off.")}</p>`}
      ${!each.fullAccess && each.permissions?.length > 0 && html`<details><summary>${t("Permissions")}</summary><p class="count">${each.permissions.toSorted().join(", ")}</p></details>`}</div>
    <div class="acts">${
      naming
        ? html`<${Naming} label=${t("New name")} word=${t("Rename")} value=${each.name} cancel=${() => setNaming(false)} act=${(name) => attempt(() => patch(`/v1/api-keys/${each.id}`, { name }), t("Renamed to {name}", { name })).then((good) => good && (setNaming(false), again()))} />`
        : html`${
            may("apiKey.edit") &&
            !each.managed &&
            html`<button class="quiet" onClick=${() => setNaming(true)} aria-label=${t("Rename {name}", { name: each.name })}>${t("Rename")}</button>
          <button class="quiet" aria-label=${`${each.active ? t("Switch off") : t("Switch on")} ${each.name}`} onClick=${() => attempt(() => patch(`/v1/api-keys/${each.id}`, { active: !each.active }), each.active ? t("It is switched off") : t("It is switched on")).then(again)}>${each.active ? t("Switch off") : t("Switch on")}</button>`
          }
        ${may("apiKey.delete") && html`<${ConfirmButton} word=${t("Revoke")} ask=${() => ({ title: t("Revoke the key {name}?", { name: each.name }), note: t("Programs and screens that use it lose access immediately.") })} kind="quiet" act=${() => attempt(() => send("DELETE", `/v1/api-keys/${each.id}`), t("{name} is revoked", { name: each.name })).then(again)} />`}`
    }</div></li>`;
}

export function Keys() {
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState(null);
  const { value, problem, again } = useAnswer("/v1/api-keys?sort=name");
  return html`<div class="settings"><${Tabs} /><h1>${t("API keys")}</h1>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${made && html`<${Secret} label=${t("The key {name}. It is shown only once: copy it now.", { name: made.name })} text=${made.key} />`}
    ${
      making
        ? html`<${Create} cancel=${() => setMaking(false)} made=${(key) => {
            setMade(key);
            setMaking(false);
            again();
          }} />`
        : may("apiKey.create") &&
          html`<p><button onClick=${() => (setMaking(true), setMade(null))}><${Icon} name="add" />${t("New key …")}</button></p>`
    }
    ${value?.length > 0 && html`<h2 class="hidden">${t("Keys")}</h2><ul class="rows">${value.map((each) => html`<${Key} key=${each.id} each=${each} again=${again} />`)}</ul>`}
  </div>`;
}
