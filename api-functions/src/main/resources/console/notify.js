// Desktop notifications, for those who asked for them by a press.
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { ids, viewOf } from "./farm.js";
import { go } from "./route.js";
import { say } from "./toast.js";
import { LOOKS, matter } from "./looks.js";
import { many, t } from "./texts.js";

const WANTED = "gantry.notices";
const LOOK_EVERY = 2000;
const EACH = 3; // more at once are one notice
/** @type {Record<string, string>} */
const KINDS = { fault: t("Faults"), clear: t("Beds to clear"), done: t("Finished prints") };

const able = () => "Notification" in globalThis;
const wanted = signal(new Set(JSON.parse(localStorage.getItem(WANTED) ?? "[]")));
const last = new Map();

/**
 * What became of a printer since it was looked at last.
 * @param {string} id
 */
function news(id) {
  const { printer, state, kind } = viewOf(id).peek();
  const before = last.get(id);
  const now = { kind, status: state?.status };
  last.set(id, now);
  if (!before) {
    return [];
  }
  return [kind !== before.kind && kind in KINDS && kind, now.status === "finished" && before.status !== "finished" && "done"]
    .filter((each) => each && wanted.value.has(each))
    .map((each) => ({
      id,
      each,
      title: `${printer.name}: ${each === "done" ? t("finished") : LOOKS[kind].word}`,
      body: matter(printer, state, kind),
    }));
}

/**
 * @param {string} title
 * @param {any} body
 * @param {string} path
 * @param {string} tag
 */
function notice(title, body, path, tag) {
  const shown = new Notification(title, { body, tag, icon: document.querySelector("link[rel=icon]")?.getAttribute("href") ?? undefined });
  shown.onclick = () => {
    focus();
    go(path);
  };
}

/** Checks every printer, also while another view is open; reports only changes. */
function look() {
  const found = ids.peek().flatMap(news);
  if (!found.length || !able() || Notification.permission !== "granted") {
    return;
  }
  for (const each of Object.keys(KINDS)) {
    const some = found.filter((/** @type {any} */ one) => one.each === each);
    if (some.length > EACH) {
      notice(
        `${KINDS[each]}: ${many(some.length, "{count} printer", "{count} printers")}`,
        some.map((/** @type {any} */ { title }) => title.split(":")[0]).join(", "),
        each === "done" ? "" : `?state=${each}`,
        each,
      );
    } else {
      some.forEach((/** @type {any} */ { id, title, body }) => notice(title, body, `printers/${id}`, id));
    }
  }
}

setInterval(() => (wanted.peek().size ? look() : last.clear()), LOOK_EVERY);

/**
 * @param {any} each
 * @param {boolean} on
 */
async function want(each, on) {
  const next = new Set(wanted.value);
  on ? next.add(each) : next.delete(each);
  if (on && Notification.permission !== "granted" && (await Notification.requestPermission()) !== "granted") {
    say(t("The browser blocks notifications from this page. Allow them in its site settings."), true);
    next.delete(each);
  }
  wanted.value = next;
  localStorage.setItem(WANTED, JSON.stringify([...next]));
  look();
}

export const Notices = () =>
  able() &&
  html`<details class="menu"><summary>${t("Notifications")}${wanted.value.size ? ` (${wanted.value.size})` : ""}</summary><div>
  ${Object.entries(KINDS).map(
    ([each, name]) =>
      html`<label key=${each} class="line"><input type="checkbox" checked=${wanted.value.has(each)} onChange=${async (event) => {
        const box = event.target;
        await want(each, box.checked);
        box.checked = wanted.peek().has(each);
      }} />${name}</label>`,
  )}</div></details>`;
