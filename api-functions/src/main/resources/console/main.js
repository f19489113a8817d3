// The console: whoever is signed in sees the farm, everybody else the way in.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { effect, signal } from "@preact/signals";
import { html } from "./html.js";
import { open, session } from "./api.js";
import { end, start } from "./farm.js";
import { jobs } from "./jobs.js";
import { parts, uploads } from "./parts.js";
import { route } from "./route.js";
import { say, Shell } from "./shell.js";
import { code, SignIn } from "./signin.js";
import { Fleet } from "./fleet.js";

const VIEWS = { "": Fleet };

/** Views that are fetched when they are opened. */
const LATER = {
  queue: () => import("./queue.js").then((each) => each.Queue),
  setup: () => import("./setup.js").then((each) => each.Setup),
  printers: () => import("./printer.js").then((each) => each.Printer),
  filament: () => import("./filament.js").then((each) => each.Filament),
  spools: () => import("./spools.js").then((each) => each.Spools),
  print: () => import("./print.js").then((each) => each.Print),
  finished: () => import("./finished.js").then((each) => each.Finished),
  parts: () => import("./library.js").then((each) => each.Parts),
  skus: () => import("./library.js").then((each) => each.Skus),
  orders: () => import("./orders.js").then((each) => each.Orders),
  settings: () => import("./settings.js").then((each) => each.Settings),
  deliveries: () => import("./deliveries.js").then((each) => each.Deliveries),
  keys: () => import("./keys.js").then((each) => each.Keys),
};
const problem = signal("");
const fetched = signal({});

/** A page of an older version finds its files gone. */
function Fetching({ name }) {
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    LATER[name]().then((View) => (fetched.value = { ...fetched.value, [name]: View }), () => setFailed(true));
  }, [name]);
  return html`<p class="empty">${failed ? html`This view could not be fetched; the farm may have a new version. <button onClick=${() => location.reload()}>Load the page anew</button>` : "Loading …"}</p>`;
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
  return html`<${Shell}><${View} key=${name} name=${name} /></${Shell}>`;
}

/** Nothing of one who was signed in is shown to the next. */
function forgetAll() {
  end();
  jobs.value = new Map();
  parts.value = [];
  uploads.value = [];
}

let following = false;
effect(() => {
  const signedIn = Boolean(session.value);
  if (signedIn !== following) {
    following = signedIn;
    queueMicrotask(() => (signedIn ? start().catch((failure) => say(failure.message, true)) : forgetAll()));
  }
});

render(html`<${Console} />`, document.getElementById("console"));

if (code) {
  session.value = null;
} else {
  const begin = () => open().then(() => (problem.value = ""), (failure) => {
    problem.value = `${failure.message}; asking again`;
    setTimeout(begin, 3000);
  });
  begin();
}
