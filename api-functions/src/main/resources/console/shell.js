// What stands around every view: where one can go, how fresh it all is, and what was just done.
import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { may, own, signOut } from "./api.js";
import { Confirmation } from "./confirm.js";
import { ago } from "./format.js";
import { ids, viewOf } from "./farm.js";
import { Icon } from "./icons.js";
import { heard, now, stale } from "./live.js";
import { add, mayAdd } from "./parts.js";
import { go, route } from "./route.js";
import { say, Toast } from "./toast.js";
import { t } from "./texts.js";

const PLACES = [
  { path: "", name: t("Fleet"), icon: "fleet", needs: ["printer.view"], holds: ["printers"] },
  { path: "queue", name: t("Queue"), icon: "queue", needs: ["queue.view"], holds: ["finished", "whatif", "failures"] },
  { path: "print", name: t("Print"), icon: "print", needs: ["part.view"] },
  { path: "parts", name: t("Parts"), icon: "box", needs: ["part.view", "sku.view"], holds: ["skus"] },
  { path: "orders", name: t("Orders"), icon: "order", needs: ["order.view"] },
  {
    path: "setup",
    name: t("Setup"),
    icon: "setup",
    needs: ["agent.view", "apiKey.view", "settings.view", "material.instance.view", "material.view"],
    holds: ["register", "settings", "deliveries", "channels", "keys", "slicers", "spools", "filament"],
  },
];

/** @type {Record<string, string>} */
const TITLES = {
  queue: t("Queue"),
  setup: t("Setup"),
  printers: t("Printer"),
  filament: t("Filament"),
  spools: t("Spools"),
  failures: t("Failures"),
  whatif: t("What if"),
  print: t("Print"),
  finished: t("Finished work"),
  parts: t("Parts"),
  skus: "SKUs",
  orders: t("Orders"),
  settings: t("Store settings"),
  deliveries: t("Webhook"),
  channels: t("Notifications"),
  keys: t("API keys"),
  slicers: t("Slicer"),
  primitives: t("Primitives"),
  register: t("New printer"),
};

const dragging = signal(false);
let away = 0;

/**
 * Files may be dropped anywhere.
 * @param {any} event
 */
function drag(event) {
  if (mayAdd() && event.dataTransfer?.types.includes("Files")) {
    event.preventDefault();
    dragging.value = true;
    clearTimeout(away);
    away = setTimeout(() => (dragging.value = false), 300);
  }
}

/** @param {any} event */
function drop(event) {
  if (mayAdd() && event.dataTransfer?.files.length) {
    event.preventDefault();
    dragging.value = false;
    add(event.dataTransfer.files);
    go("print");
  }
}

function Freshness() {
  const { at, how } = heard.value;
  if (how === "live") {
    return html`<span class="fresh live"><${Icon} name="live" /><span>${t("Live")}</span></span>`;
  }
  if (how === "connecting" && !stale.value) {
    return html`<span class="fresh" role="status"><${Icon} name="retry" /><span>${t("Connecting …")}</span></span>`;
  }
  const age = t("{age} old", { age: ago(now.value - at) });
  return html`<span class="fresh ${stale.value ? "stale" : ""}" role="status"><${Icon} name=${how === "cut" ? "offline" : "retry"} /><span>${how === "cut" ? t("Reconnecting · {age}", { age }) : age}</span></span>`;
}

/** What the tab is called: the view, and how much needs somebody. */
function Title() {
  const here = route.value.path.split("/")[0];
  const faults = ids.value.filter((/** @type {string} */ id) => viewOf(id).value.kind === "fault").length;
  useEffect(() => {
    document.title = `${faults ? `(${faults}) ` : ""}${TITLES[here] ?? t("Fleet")} · ${own().store.name}`;
  }, [here, faults]);
  return null;
}

/** @param {{ children: any }} props */
export function Shell({ children }) {
  const here = route.value.path.split("/")[0];
  return html`<div class="shell" onDragOver=${drag} onDrop=${drop}>
    <${Title} />
    <a class="skip" href="#content">${t("To the content")}</a>
    <header>
      <strong class="store">${own().store.name}</strong>
      <nav aria-label=${t("Views")}>${PLACES.filter(({ needs }) => needs.some(may)).map(({ path, name, icon, holds }) => html`<a key=${path} href="/console/${path}" aria-current=${here === path || holds?.includes(here) ? "page" : undefined}><${Icon} name=${icon} />${name}</a>`)}</nav>
      <${Freshness} />
      <span class="who">${own().name}</span>
      <a class="help" href="/docs" target="_blank" title=${t("Help (Gantry {version})", { version: own().version })} aria-label=${t("Help")}><${Icon} name="why" /></a>
      <button class="quiet" onClick=${() => signOut().catch((problem) => say(problem.message, true))} title=${t("Sign out")} aria-label=${t("Sign out")}><${Icon} name="exit" /></button>
    </header>
    <main id="content" tabindex="-1">${children}</main>
    ${dragging.value && html`<div class="drop"><p>${t("Drop to add to the library")}</p></div>`}
    <${Toast} />
    <${Confirmation} />
  </div>`;
}
