// The webhook: its receiver, its events, and the state of each delivery.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch, post, randomHex } from "./api.js";
import { attempt, reason, useAnswer, useOnce, useSending } from "./requests.js";
import { Icon } from "./icons.js";
import { Field, Paging, Secret } from "./components.js";
import { Events, nameOf, outcome } from "./events.js";
import { ask, route } from "./route.js";
import { Tabs } from "./setup.js";
import { say } from "./toast.js";
import { ConfirmButton } from "./confirm.js";
import { moment } from "./format.js";
import { many, t } from "./texts.js";

const PATH = "/v1/settings/notifications/webhook";
const AT_ONCE = 50;
const AGAIN = 20_000;
const SOON = 3000; // while a delivery is due
const DUE = 10_000;
const WEEK = 7 * 86_400_000;
/** @type {Record<string, string>} */
const HOW = { pending: t("On its way"), delivered: t("Delivered"), failed: t("Failed"), held: t("Held"), discarded: t("Discarded") };

/** @param {{ setting: any, again: (...given: any[]) => any, close: (...given: any[]) => any }} props */
function Where({ setting, again, close }) {
  const [url, setUrl] = useState(setting?.data.webhookUrl ?? "");
  const [apiKey, setApiKey] = useState("");
  const { faults, submit, busy } = useSending(async () => {
    const { data } = await post("/v1/settings/notifications", { channel: "webhook", data: { webhookUrl: url.trim(), apiKey } });
    say(t("The webhook is set up"));
    close(data.signingSecret.startsWith("whsec_") ? data.signingSecret : "");
    again();
  });
  return html`<form class="form" onSubmit=${submit}>
    <${Field} label=${t("Address")} path="data.webhookUrl" faults=${faults} hint=${t("where events are sent to, for instance https://shop.example.com/farm")}><input type="url" required value=${url} onInput=${(event) => setUrl(event.target.value)} /></${Field}>
    <${Field} label=${t("Key")} path="data.apiKey" faults=${faults} hint=${t("sent with each delivery, so that the receiver recognizes the farm; at least 32 characters")}><input required minlength="32" maxlength="512" autocomplete="off" value=${apiKey} onInput=${(event) => setApiKey(event.target.value)} /></${Field}>
    <p class="acts"><button class="primary" disabled=${busy}>${t("Save")}</button><button type="button" onClick=${() => setApiKey(randomHex(24))}>${t("Create a key")}</button>${setting && html`<button type="button" class="quiet" onClick=${() => close("")}>${t("Cancel")}</button>`}</p></form>`;
}

/** @param {{ setting: any, again: (...given: any[]) => any }} props */
function Webhook({ setting, again }) {
  const [editing, setEditing] = useState(false);
  const [secret, setSecret] = useState("");
  const [tested, setTested] = useState(null);
  const [chosen, setChosen] = useState({}); // what was ticked shows at once
  const edit = may("settings.edit");
  const tell = async (/** @type {any} */ event, /** @type {boolean} */ on) => {
    setChosen({ ...chosen, [event]: on });
    (await attempt(() => patch(`${PATH}/events`, { [event]: on }), `${nameOf(event)}: ${on ? t("sent") : t("no longer sent")}`)) ||
      setChosen({ ...chosen, [event]: !on });
  };
  if (!setting || editing) {
    return edit
      ? html`<${Where} setting=${setting} again=${again} close=${(found) => {
          setEditing(false);
          setSecret(found);
        }} />`
      : html`<p class="count">${t("No webhook is set up.")}</p>`;
  }
  const turn = (/** @type {any} */ body, /** @type {any} */ done) => attempt(() => patch(PATH, body), done).then(again);
  return html`${secret && html`<${Secret} label=${t("The secret that signs each delivery. It is shown only once: give it to the receiver.")} text=${secret} />`}
    <h2 class="hidden">${t("Where events go")}</h2><ul class="rows"><li class="row plain"><div class="what"><h3>${setting.data.webhookUrl}</h3>
        <p>${setting.enabled ? t("Switched on") : t("Switched off: events are held for three days")}${setting.failureCount24h > 0 && ` · ${many(setting.failureCount24h, "{count} failure in 24 hours", "{count} failures in 24 hours")}`}</p>
        ${(setting.disabledReason || setting.warning) && html`<p class="problem">${setting.disabledReason ?? setting.warning}</p>`}
        ${tested && html`<p role="status" class=${tested.errorClass ? "problem" : ""}>${tested.errorClass ? t("The test failed: {outcome}", { outcome: outcome(tested) }) : t("The test arrived: {outcome}", { outcome: outcome(tested) })}</p>`}</div>
      <div class="acts">${
        edit &&
        html`<button onClick=${() => post(`${PATH}/test`).then(setTested, (problem) => say(reason(problem), true))}>${t("Test")}</button>
        <button onClick=${() => setEditing(true)}>${t("Change")}</button>
        ${
          setting.enabled
            ? html`<${ConfirmButton} word=${t("Switch off")} ask=${() => ({ title: t("Switch off this webhook?"), note: t("Events are held until you switch it on again.") })} act=${() => turn({ enabled: false }, t("The webhook is switched off"))} />`
            : html`<button onClick=${() => turn({ enabled: true }, t("The webhook is switched on and sends the held events"))}>${t("Switch on")}</button>
            <${ConfirmButton} word=${t("Switch on, discard held events")} ask=${() => ({ title: t("Discard the held events?"), note: t("The receiver never gets them.") })} kind="quiet" act=${() => turn({ enabled: true, held: "discard" }, t("The webhook is switched on"))} />`
        }`
      }</div></li></ul>
    <${Events} events=${Object.keys(setting).filter((name) => /^on[A-Z]/.test(name))} isOn=${(event) => /** @type {Record<string, any>} */ (chosen)[event] ?? setting[event]} disabled=${!edit} onChange=${tell} />`;
}

/** @param {{ each: any, again: (...given: any[]) => any }} props */
function Delivery({ each, again }) {
  const last = each.attempts.at(-1);
  const { busy, once } = useOnce(() => attempt(() => post(`${PATH}/deliveries/${each.id}/redeliver`), t("It is sent again")).then(again));
  return html`<li class="row plain delivery" data-status=${each.status}><div class="what"><h3>${nameOf(each.event)}</h3>
      <p>${[moment(each.createdAt), each.attempts.length > 0 && many(each.attempts.length, "{count} attempt", "{count} attempts"), last && outcome(last), each.status === "pending" && each.nextAttemptAt && t("next at {time}", { time: moment(each.nextAttemptAt) })].filter(Boolean).join(" · ")}</p>
      <details><summary>${t("Attempts and body")}</summary>
        <ol>${each.attempts.map((/** @type {any} */ one) => html`<li key=${one.at}>${moment(one.at)}: ${outcome(one)}${one.responseBody && html` <code>${one.responseBody}</code>`}</li>`)}</ol>
        <pre tabindex="0">${JSON.stringify(each.body, null, 2)}</pre></details></div>
    <p class="status ${each.status === "failed" ? "problem" : ""}">${HOW[each.status]}
      ${may("settings.edit") && each.status !== "pending" && html` <button class="quiet" aria-label=${t("Send again: {event}, {time}", { event: nameOf(each.event), time: moment(each.createdAt) })} disabled=${busy} onClick=${once}><${Icon} name="retry" />${t("Send again")}</button>`}</p></li>`;
}

/**
 * Whether the delivery is about to be sent; one that waits for a later try changes nothing soon.
 * @param {{ status: any, nextAttemptAt: any }} given
 */
const isDue = ({ status, nextAttemptAt }) => status === "pending" && Math.abs(Date.parse(nextAttemptAt) - Date.now()) < DUE;

export function Deliveries() {
  const { query } = route.value;
  const status = query.get("status") ?? "";
  const page = Math.max(0, Number(query.get("page")) || 0);
  const settings = useAnswer("/v1/settings/notifications");
  const { value, problem, again } = useAnswer(`${PATH}/deliveries/search`, {
    body: { filter: status ? { status } : {}, sort: "createdAt:desc", limit: AT_ONCE, offset: page * AT_ONCE },
    every: ({ data }) => (data.some(isDue) ? SOON : AGAIN),
  });
  const setting = settings.value?.find((each) => each.channel === "webhook");
  const sent = (/** @type {any} */ { count }) => many(count, "{count} delivery sent again", "{count} deliveries sent again");
  return html`<div class="settings"><${Tabs} /><h1>${t("Webhook")}</h1>
    ${settings.problem && html`<p class="problem" role="alert">${settings.problem}</p>`}
    ${settings.value && html`<${Webhook} setting=${setting} again=${settings.again} />`}
    ${
      value &&
      (value.meta.total > 0 || status) &&
      html`<section><h2>${t("Deliveries")}</h2>
      <div class="filters"><div class="chips" role="group" aria-label=${t("Outcomes")}>${Object.entries(HOW).map(([name, word]) => html`<button key=${name} class="chip plain" aria-pressed=${status === name} onClick=${() => ask({ status: status === name ? "" : name, page: "" })}>${word}</button>`)}</div>
        ${may("settings.edit") && status === "failed" && value.meta.total > 0 && html`<${ConfirmButton} word=${t("Send all of a week again")} ask=${() => ({ title: t("Send all failed deliveries of the last week again?"), kind: "primary" })} act=${() => attempt(() => post(`${PATH}/deliveries/replay`, { from: new Date(Date.now() - WEEK).toISOString(), statuses: ["failed"] }), sent).then(again)} />`}
        ${may("settings.edit") && status === "held" && value.meta.total > 0 && html`<${ConfirmButton} word=${t("Discard all")} ask=${() => ({ title: t("Discard all held events?"), note: t("The receiver never gets them."), facts: [[t("Events"), value.meta.total]] })} act=${() => attempt(() => post(`${PATH}/deliveries/discard`, {}), t("Held events discarded")).then(again)} />`}</div>
      <ul class="rows">${value.data.map((each) => html`<${Delivery} key=${each.id} each=${each} again=${again} />`)}</ul>
      ${!value.data.length && html`<p class="empty">${t("No delivery has the status “{status}”.", { status: HOW[status] })}</p>`}
      <${Paging} meta=${value.meta} page=${page} /></section>`
    }
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  </div>`;
}
