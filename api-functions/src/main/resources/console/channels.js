// Notification channels: the services that send messages about events to phones and chats.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch, post, send } from "./api.js";
import { useAsked } from "./build.js";
import { attempt, useAnswer, useOnce, useSending } from "./requests.js";
import { Check, Field } from "./components.js";
import { ConfirmButton } from "./confirm.js";
import { Events, EVENTS, nameOf, outcome } from "./events.js";
import { moment, time } from "./format.js";
import { Icon } from "./icons.js";
import { subscribe } from "./push.js";
import { Tabs } from "./setup.js";
import { say } from "./toast.js";
import { many, t } from "./texts.js";

const PATH = "/v1/notification-channels";
const AGAIN = 20_000; // milliseconds
const FIRST_EVENTS = ["onJobFailed", "onPrinterOffline", "onPrinterHmsError"];

const SERVER = { name: "url", label: t("Server"), hint: t("if empty, the service's own server") };

/**
 * The services, each with the fields of its settings. A field has one of `options`, if there are some; `isList` is of texts
 * that commas separate.
 * @type {Record<string, { name: string, note: string, pictures?: boolean, fields: { name: string, label: string, hint: string, required?: boolean, secret?: boolean, isNumber?: boolean, isList?: boolean, options?: Record<string, string> }[] }>}
 */
const KINDS = {
  ntfy: {
    name: "ntfy",
    note: t("Install the ntfy app and subscribe to a topic whose name nobody can guess."),
    pictures: true,
    fields: [
      { name: "topic", label: t("Topic"), hint: t("the name that the app subscribes to"), required: true },
      { name: "token", label: t("Access token"), hint: t("only for a protected topic"), secret: true },
      SERVER,
    ],
  },
  discord: {
    name: "Discord",
    note: t("In the settings of a text channel, choose Integrations, Webhooks, New webhook."),
    pictures: true,
    fields: [
      { name: "url", label: t("Webhook URL"), hint: t("starts with https://discord.com/api/webhooks/"), required: true, secret: true },
    ],
  },
  slack: {
    name: "Slack",
    note: t("Create an app at api.slack.com, activate Incoming webhooks, and add one for a channel."),
    fields: [
      { name: "url", label: t("Webhook URL"), hint: t("starts with https://hooks.slack.com/services/"), required: true, secret: true },
    ],
  },
  telegram: {
    name: "Telegram",
    note: t("Send /newbot to @BotFather. Then send your bot a message, or add it to a group."),
    pictures: true,
    fields: [
      { name: "token", label: t("Bot token"), hint: t("from @BotFather, for example 123456:ABC-DEF"), required: true, secret: true },
      { name: "chatId", label: t("Chat"), hint: t("the number of the chat, or @ and the name of a channel"), required: true },
      SERVER,
    ],
  },
  gotify: {
    name: "Gotify",
    note: t("Create an application on your Gotify server."),
    fields: [
      { name: "url", label: t("Server"), hint: t("for example https://gotify.example.com"), required: true },
      { name: "token", label: t("Application token"), hint: t("of the application that you created"), required: true, secret: true },
    ],
  },
  pushover: {
    name: "Pushover",
    note: t("Create an application at pushover.net."),
    pictures: true,
    fields: [
      { name: "token", label: t("API token"), hint: t("of the application that you created"), required: true, secret: true },
      { name: "userKey", label: t("User key"), hint: t("yours, or the key of a group"), required: true },
      SERVER,
    ],
  },
  email: {
    name: t("Email"),
    note: t("Use the mail server of your provider, and a user or an app password there."),
    pictures: true,
    fields: [
      { name: "recipients", label: t("Recipients"), hint: t("e-mail addresses, separated by commas"), required: true, isList: true },
      { name: "sender", label: t("Sender"), hint: t("an e-mail address of the user below"), required: true },
      { name: "host", label: t("Mail server"), hint: t("for example smtp.example.com"), required: true },
      {
        name: "security",
        label: t("Encryption"),
        hint: t("without encryption only for servers in the local network that the farm's settings name"),
        options: { "": "STARTTLS", tls: "TLS", none: t("None") },
      },
      { name: "port", label: t("Port"), hint: t("if empty, 587 for STARTTLS and 465 for TLS"), isNumber: true },
      { name: "user", label: t("User"), hint: t("only if the server needs one") },
      { name: "password", label: t("Password"), hint: t("of this user"), secret: true },
    ],
  },
  webhook: {
    name: t("Webhook"),
    note: t("Each message is sent to your address as JSON, for automation services or your own program."),
    fields: [
      { name: "url", label: t("Address"), hint: t("begins with https://"), required: true, secret: true },
      { name: "token", label: t("Token"), hint: t("is sent in the header Authorization: Bearer"), secret: true },
    ],
  },
  webpush: {
    name: t("This browser"),
    note: t(
      "Messages appear on this device, also while the console is closed. The browser asks for permission when you create the channel.",
    ),
    fields: [],
  },
};

/**
 * The settings of a channel as texts.
 * @param {Record<string, any>} settings
 * @returns {Record<string, string>}
 */
const textsOf = (settings) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]));

/** @param {string} text */
const listOf = (text) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);

/** @param {{ channel?: Channel, close: (saved: boolean) => void }} props */
function Form({ channel, close }) {
  const [kind, setKind] = useState(/** @type {string} */ (channel?.kind ?? "ntfy"));
  const [name, setName] = useState(channel?.name ?? "");
  const [settings, setSettings] = useState(textsOf(channel?.settings ?? {}));
  const [events, setEvents] = useState(/** @type {string[]} */ (channel?.events ?? FIRST_EVENTS));
  const [tags, setTags] = useState(channel?.printerTags.join(", ") ?? "");
  const [quiet, setQuiet] = useState({ from: channel?.quietHours?.from ?? "", to: channel?.quietHours?.to ?? "" });
  const [title, setTitle] = useState(channel?.template?.title ?? "");
  const [text, setText] = useState(channel?.template?.text ?? "");
  const template = title.trim() || text.trim() ? { title: title.trim() || null, text: text.trim() || null } : null;
  const [picture, setPicture] = useState(channel?.picture ?? false);
  const [preview, setPreview] = useState(/** @type {any} */ ([]));
  const previews = Array.isArray(preview) ? preview : [];
  const wrong = template ? (preview.refused?.details ?? []) : [];
  useAsked(template !== null && `${PATH}/preview`, { events, template }, setPreview);
  const { fields, note, pictures = false } = KINDS[kind];
  const { faults, submit, busy } = useSending(async () => {
    const filled = fields
      .filter((field) => settings[field.name]?.trim())
      .map((field) => {
        const text = settings[field.name].trim();
        return [field.name, field.isList ? listOf(text) : field.isNumber ? Number(text) : text];
      });
    const body = {
      name: name.trim(),
      settings: kind !== "webpush" ? Object.fromEntries(filled) : channel ? undefined : await subscribe(),
      events,
      printerTags: listOf(tags),
      quietHours: quiet.from || quiet.to ? quiet : null,
      template,
      picture: pictures && picture,
    };
    await (channel ? patch(`${PATH}/${channel.id}`, body) : post(PATH, { ...body, kind }));
    say(channel ? t("{name} is saved", { name: body.name }) : t("{name} is created. Send a test message.", { name: body.name }));
    close(true);
  });
  return html`<form class="form" onSubmit=${submit} noValidate><h2>${channel ? t("Edit {name}", { name: channel.name }) : t("New channel")}</h2>
    ${
      !channel &&
      html`<${Field} label=${t("Service")} path="kind" faults=${faults}><select value=${kind} onChange=${(event) => setKind(event.target.value)}>
      ${Object.entries(KINDS).map(([value, each]) => html`<option key=${value} value=${value}>${each.name}</option>`)}</select></${Field}>`
    }
    <p class="count">${note} <a href=${`/docs/notifications#${kind}`} target="_blank">${t("Set up {service}", { service: KINDS[kind].name })}</a></p>
    <${Field} label=${t("Name")} path="name" faults=${faults} hint=${t("for example: Shift phone")}><input required maxlength="200" value=${name} onInput=${(event) => setName(event.target.value)} /></${Field}>
    ${fields.map(
      (
        field,
      ) => html`<${Field} key=${`${kind} ${field.name}`} label=${field.required ? field.label : t("{label} (optional)", { label: field.label })} path=${`settings.${field.name}`} faults=${faults} hint=${field.hint}>
      ${
        field.options
          ? html`<select value=${settings[field.name] ?? ""} onChange=${(event) => setSettings({ ...settings, [field.name]: event.target.value })}>${Object.entries(field.options).map(([value, word]) => html`<option key=${value} value=${value}>${word}</option>`)}</select>`
          : html`<input required=${field.required} type=${field.secret ? "password" : field.isNumber ? "number" : "text"} autocomplete="off" value=${settings[field.name] ?? ""} onInput=${(event) => setSettings({ ...settings, [field.name]: event.target.value })} />`
      }</${Field}>`,
    )}
    <${Field} label=${t("Only printers with these tags")} path="printerTags" faults=${faults} hint=${t("separated by commas; with tags, no events without a printer are sent")}><input value=${tags} onInput=${(event) => setTags(event.target.value)} /></${Field}>
    <${Field} label=${t("Quiet hours from (optional)")} path="quietHours.from" faults=${faults} hint=${t("messages other than errors are collected, and sent as one at the end")}><input type="time" value=${quiet.from} onInput=${(event) => setQuiet({ ...quiet, from: event.target.value })} /></${Field}>
    <${Field} label=${t("Quiet hours to (optional)")} path="quietHours.to" faults=${faults} hint=${t("in the time zone of the store")}><input type="time" value=${quiet.to} onInput=${(event) => setQuiet({ ...quiet, to: event.target.value })} /></${Field}>
    <${Field} label=${t("Title of messages (optional)")} path="template.title" faults=${[...faults, ...wrong]} hint=${t("in any language; {placeholders} are replaced", { placeholders: "{printer} {part} {order} {spool} {agent} {reason} {title}" })}><input maxlength="100" value=${title} onInput=${(event) => setTitle(event.target.value)} /></${Field}>
    <${Field} label=${t("Text of messages (optional)")} path="template.text" faults=${[...faults, ...wrong]} hint=${t("the same, and {placeholders}", { placeholders: "{sentence} {link}" })}><textarea rows="3" maxlength="500" value=${text} onInput=${(event) => setText(event.target.value)} /></${Field}>
    ${
      template &&
      previews.length > 0 &&
      html`<h3>${t("Preview")}</h3><dl class="facts preview">${previews.map((/** @type {any} */ each) => html`<div key=${each.event}><dt>${nameOf(each.event)}</dt><dd><b>${each.title}</b><br />${each.text}</dd></div>`)}</dl>`
    }
    ${pictures && html`<${Check} label=${t("Send a picture")} hint=${t("the camera image of the printer or, without one, the thumbnail of the part")} checked=${picture} onChange=${setPicture} />`}
    <h3>${t("Events")}</h3>
    <${Events} events=${EVENTS} isOn=${(event) => events.includes(event)} onChange=${(event, on) => setEvents(on ? [...events, event] : events.filter((each) => each !== event))} />
    <p class="acts"><button class="primary" disabled=${busy}>${channel ? t("Save") : t("Create")}</button><button type="button" class="quiet" onClick=${() => close(false)}>${t("Cancel")}</button></p></form>`;
}

/**
 * The state of a channel in words.
 * @param {Channel} channel
 */
function stateOf({ enabled, pausedUntil, lastSentAt }) {
  if (!enabled) {
    return t("Disabled: its messages are dropped");
  }
  if (pausedUntil && Date.parse(pausedUntil) > Date.now()) {
    return t("The service is busy or not reachable; next attempt at {time}", { time: time(pausedUntil) });
  }
  return lastSentAt ? t("Last sent {time}", { time: moment(lastSentAt) }) : t("Nothing sent yet");
}

/** @param {{ channel: Channel, edit: () => void, again: () => void }} props */
function Row({ channel, edit, again }) {
  const { id, name, kind, enabled } = channel;
  const [tested, setTested] = useState(/** @type {any} */ (null));
  const { busy, once } = useOnce(() =>
    attempt(
      () => post(`${PATH}/${id}/test`).then((result) => (setTested(result), result)),
      (result) => (result.errorClass ? t("The test of {name} failed", { name }) : t("The test of {name} was sent", { name })),
    ).then(again),
  );
  const turn = (/** @type {boolean} */ on) =>
    attempt(() => patch(`${PATH}/${id}`, { enabled: on }), on ? t("{name} is enabled", { name }) : t("{name} is disabled", { name })).then(
      again,
    );
  return html`<li class="row plain channel" data-state=${enabled ? undefined : "off"}><div class="what"><h3>${name} <span class="count">${KINDS[kind].name}</span></h3>
      <p>${[stateOf(channel), many(channel.events.length, "{count} event", "{count} events"), channel.printerTags.length > 0 && t("only {tags}", { tags: channel.printerTags.join(", ") }), channel.quietHours && t("quiet from {from} to {to}", channel.quietHours)].filter(Boolean).join(" · ")}</p>
      ${channel.lastError && html`<p class="problem">${channel.failureCount > 0 ? many(channel.failureCount, "{error} ({count} failure in succession)", "{error} ({count} failures in succession)", { error: channel.lastError }) : channel.lastError}</p>`}
      ${tested && html`<p role="status" class=${tested.errorClass ? "problem" : ""}>${tested.errorClass ? t("The test failed: {outcome}", { outcome: tested.message }) : t("The test arrived: {outcome}", { outcome: outcome(tested) })}</p>`}</div>
    ${
      may("settings.edit") &&
      html`<div class="acts"><button disabled=${busy} aria-label=${t("Send a test to {name}", { name })} onClick=${once}>${t("Test")}</button>
      <button class="quiet" aria-label=${t("Edit {name}", { name })} onClick=${edit}>${t("Edit")}</button>
      <button class="quiet" aria-label=${enabled ? t("Disable {name}", { name }) : t("Enable {name}", { name })} onClick=${() => turn(!enabled)}>${enabled ? t("Disable") : t("Enable")}</button>
      <${ConfirmButton} word=${t("Delete")} kind="quiet" ask=${() => ({ title: t("Delete the channel {name}?", { name }), note: t("Its messages are deleted with it.") })} act=${() => attempt(() => send("DELETE", `${PATH}/${id}`), t("{name} is deleted", { name })).then(again)} /></div>`
    }</li>`;
}

export function Channels() {
  const { value, problem, again } = useAnswer(`${PATH}?sort=name`, { every: () => AGAIN });
  const [editing, setEditing] = useState(/** @type {string | null} */ (null)); // the id of a channel, "" for a new one
  const close = (/** @type {boolean} */ saved) => {
    setEditing(null);
    saved && again();
  };
  return html`<div class="settings"><${Tabs} /><h1>${t("Notifications")}</h1>
    <p class="count">${t("Messages about events on a phone or in a chat.")} <a href="/docs/notifications" target="_blank">${t("All about notifications")}</a></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${editing === "" ? html`<${Form} close=${close} />` : may("settings.edit") && html`<p><button onClick=${() => setEditing("")}><${Icon} name="add" />${t("New channel …")}</button></p>`}
    ${value?.length === 0 && editing === null && html`<p class="empty">${t("No channel yet. Create one to hear of failed prints where you are.")}</p>`}
    ${value?.length > 0 && html`<h2 class="hidden">${t("Channels")}</h2><ul class="rows">${value.map((channel) => (channel.id === editing ? html`<li key=${channel.id} class="row plain"><${Form} channel=${channel} close=${close} /></li>` : html`<${Row} key=${channel.id} channel=${channel} edit=${() => setEditing(channel.id)} again=${again} />`))}</ul>`}</div>`;
}
