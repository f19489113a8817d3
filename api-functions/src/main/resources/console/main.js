// The console: whoever is signed in sees the farm, everybody else the way in.
import { render } from "preact";
import { effect, signal } from "@preact/signals";
import { html } from "./html.js";
import { open, session } from "./api.js";
import { end, start } from "./farm.js";
import { jobs } from "./jobs.js";
import { parts, uploads } from "./parts.js";
import { route } from "./route.js";
import { say, Shell } from "./shell.js";
import { Setup } from "./setup.js";
import { code, SignIn } from "./signin.js";
import { Fleet } from "./fleet.js";
import { Print } from "./print.js";
import { Printer } from "./printer.js";
import { Queue } from "./queue.js";

const VIEWS = { "": Fleet, queue: Queue, print: Print, printers: Printer, setup: Setup };
const problem = signal("");

function Console() {
  if (session.value === null) {
    return html`<${SignIn} />`;
  }
  if (!session.value) {
    return problem.value && html`<main class="signin"><p role="alert">${problem.value}</p></main>`;
  }
  const View = VIEWS[route.value.path.split("/")[0]] ?? Fleet;
  return html`<${Shell}><${View} /></${Shell}>`;
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
