// What stands around every view: where one can go, how fresh it all is, and what was just said.
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { may, session, signOut } from "./api.js";
import { Icon } from "./icons.js";
import { heard, now, stale } from "./live.js";
import { route } from "./route.js";
import { ago } from "./words.js";

const PLACES = [
  { path: "", name: "Fleet", icon: "fleet", needs: "printer.view" },
  { path: "queue", name: "Queue", icon: "queue", needs: "queue.view" },
];

const said = signal({ text: "", bad: false });
let hush = 0;

/** Tells of what was done, or was not. */
export function say(text, bad = false) {
  said.value = { text, bad };
  clearTimeout(hush);
  hush = setTimeout(() => (said.value = { text: "", bad: false }), bad ? 12_000 : 5_000);
}

function Freshness() {
  const { at, how } = heard.value;
  if (how === "live") {
    return html`<span class="fresh live"><${Icon} name="live" />Live</span>`;
  }
  const age = at ? `${ago(now.value - at)} old` : "connecting";
  return html`<span class="fresh ${stale.value ? "stale" : ""}" role="status"><${Icon} name=${how === "cut" ? "offline" : "retry"} />${how === "cut" ? `Reconnecting · ${age}` : age}</span>`;
}

export function Shell({ children }) {
  const here = route.value.path.split("/")[0];
  return html`<div class="shell">
    <a class="skip" href="#content">To the content</a>
    <header>
      <strong class="store">${session.value.store.name}</strong>
      <nav aria-label="Views">${PLACES.filter((place) => may(place.needs)).map((place) => html`<a key=${place.path} href="/console/${place.path}" aria-current=${here === place.path ? "page" : undefined}><${Icon} name=${place.icon} />${place.name}</a>`)}</nav>
      <${Freshness} />
      <span class="who">${session.value.name}</span>
      <button class="quiet" onClick=${() => signOut()} title="Sign out" aria-label="Sign out"><${Icon} name="exit" /></button>
    </header>
    <main id="content" tabindex="-1">${children}</main>
    <div class="said ${said.value.bad ? "bad" : ""}" role="status" aria-live="polite">${said.value.text && html`<span>${said.value.text}</span>`}</div>
  </div>`;
}
