// The console: the farm for signed-in users, and the sign-in page for others.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { effect, signal } from "@preact/signals";
import { html } from "./html.js";
import { expired, may, open, session } from "./api.js";
import { end, start } from "./farm.js";
import { heard, returns } from "./live.js";
import { forgetParts } from "./parts.js";
import { go, route } from "./route.js";
import { Shell } from "./shell.js";
import { say } from "./toast.js";
import { code, SignIn } from "./signin.js";
import { forgetSnapshots } from "./snapshots.js";
import { Fleet, forgetFleet } from "./fleet.js";
import { t } from "./texts.js";

/** @type {Record<string, any>} */
const VIEWS = { "": Fleet };

/** @type {Record<string, any>} Views that are fetched when they are opened. */
const LATER = {
  queue: () => import("./queue.js").then((each) => each.Queue),
  setup: () => import("./setup.js").then((each) => each.Setup),
  printers: () => import("./printer.js").then((each) => each.Printer),
  filament: () => import("./filament.js").then((each) => each.Filament),
  spools: () => import("./spools.js").then((each) => each.Spools),
  failures: () => import("./failures.js").then((each) => each.Failures),
  whatif: () => import("./whatif.js").then((each) => each.WhatIfRoutes),
  print: () => import("./print.js").then((each) => each.Print),
  finished: () => import("./finished.js").then((each) => each.Finished),
  parts: () => import("./library.js").then((each) => each.Parts),
  skus: () => import("./library.js").then((each) => each.Skus),
  orders: () => import("./orders.js").then((each) => each.Orders),
  settings: () => import("./settings.js").then((each) => each.Settings),
  deliveries: () => import("./deliveries.js").then((each) => each.Deliveries),
  channels: () => import("./channels.js").then((each) => each.Channels),
  keys: () => import("./keys.js").then((each) => each.Keys),
  slicers: () => import("./slicers.js").then((each) => each.Slicers),
  primitives: () => import("./primitives.js").then((each) => each.Primitives),
  register: () => import("./register.js").then((each) => each.Register),
  wall: () => import("./wall.js").then((each) => each.Wall),
};
const WALL = "wall"; // it stands alone, and follows nothing: its key opens nothing else
const problem = signal("");
const fetched = signal(/** @type {Record<string, any>} */ ({}));

/**
 * Fetches a view, again once the farm answers; a page of an older version finds its files gone.
 * @param {{ name: string }} props
 */
function Fetching({ name }) {
  const [failed, setFailed] = useState(false);
  const { how } = heard.value;
  const connected = how === "live" || how === "polling";
  useEffect(() => {
    setFailed(false);
    LATER[name]().then(
      (/** @type {any} */ View) => (fetched.value = { ...fetched.value, [name]: View }),
      () => setFailed(true),
    );
  }, [name, connected, returns.value]);
  return html`<p class="empty">${!failed ? t("Loading …") : !connected || !navigator.onLine ? t("The farm cannot be reached. This view opens when it answers.") : html`${t("This view could not be loaded; the farm may have a new version.")} <button onClick=${() => location.reload()}>${t("Reload")}</button>`}</p>`;
}

function Console() {
  if (session.value === null) {
    return html`<${SignIn} />`;
  }
  if (!session.value) {
    return problem.value && html`<main class="signin"><p role="alert">${problem.value}</p></main>`;
  }
  const name = route.value.path.split("/")[0];
  const View = VIEWS[name] ?? fetched.value[name] ?? (LATER[name] ? Fetching : Fleet);
  return html`<div class=${expired.value ? "covered" : ""} inert=${expired.value}>${name === WALL ? html`<${View} name=${name} />` : html`<${Shell}><${View} key=${name} name=${name} /></${Shell}>`}</div>
    ${expired.value && html`<${SignIn} again=${true} />`}`;
}

/** Nothing of one who was signed in is shown to the next. */
function forgetAll() {
  end();
  forgetFleet();
  forgetParts();
  forgetSnapshots();
}

let following = false;
effect(() => {
  const signedIn = Boolean(session.value);
  if (session.value?.permissions.size === 1 && may("wall.view") && route.value.path !== WALL) {
    queueMicrotask(() => go(WALL));
    return;
  }
  if (signedIn !== following && route.value.path !== WALL) {
    following = signedIn;
    queueMicrotask(() => (signedIn ? start().catch((failure) => say(failure.message, true)) : forgetAll()));
  }
});

render(html`<${Console} />`, /** @type {HTMLElement} */ (document.getElementById("console")));

if (code) {
  session.value = null;
} else {
  const begin = () =>
    open().then(
      () => (problem.value = ""),
      (failure) => {
        problem.value = t("{message}; asking again", { message: failure.message });
        setTimeout(begin, 3000);
      },
    );
  begin();
}
