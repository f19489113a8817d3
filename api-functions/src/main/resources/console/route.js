// Where the page is: a path below /console and a query, which the address holds.
import { signal } from "@preact/signals";

const read = () => ({
  path: location.pathname.replace(/^\/console\/?/, "").replace(/\/$/, ""),
  query: new URLSearchParams(location.search),
});

export const route = signal(read());

/**
 * What finds an element again after its view was redrawn.
 * @param {any} element
 */
function selectorOf(element) {
  const { id, dataset } = element;
  const [name, value] = id
    ? ["id", id]
    : dataset.id
      ? ["data-id", dataset.id]
      : (["href", "aria-label"].map((each) => [each, element.getAttribute(each)]).find(([, each]) => each) ?? []);
  return value ? `[${name}="${CSS.escape(value)}"]` : null;
}

const MAX_WAIT = 5000;

/**
 * Gives the focus back to what had it, once that is drawn, unless somebody has moved on.
 * @param {{ focus: any, y: any }} given0
 * @param {any} [until]
 */
function refocus({ focus, y }, until = performance.now() + MAX_WAIT) {
  const found = focus && /** @type {HTMLElement | null} */ (document.querySelector(focus));
  if (document.activeElement !== document.body && document.activeElement !== found) {
    return;
  }
  if (found) {
    found.focus({ preventScroll: true });
    scrollTo(0, y);
  } else if (performance.now() < until) {
    requestAnimationFrame(() => refocus({ focus, y }, until));
  } else {
    document.getElementById("content")?.focus();
  }
}

addEventListener("popstate", (event) => {
  route.value = read();
  requestAnimationFrame(() => refocus(event.state ?? {}));
});

/** @param {string} path */
export function go(path) {
  history.replaceState({ focus: selectorOf(document.activeElement), y: scrollY }, "");
  history.pushState(null, "", `/console/${path}`);
  route.value = read();
  scrollTo(0, 0);
}

/**
 * Changes members of the query in place; empty ones are left out.
 * @param {any} changes
 */
export function ask(changes) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    value ? query.set(name, value) : query.delete(name);
  }
  const text = query.toString();
  history.replaceState(history.state, "", location.pathname + (text && `?${text}`));
  route.value = read();
}

/** Follows links within the console without loading it again. */
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href^='/console/']");
  if (link && !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    go((link.getAttribute("href") ?? "").slice("/console/".length));
  }
});
