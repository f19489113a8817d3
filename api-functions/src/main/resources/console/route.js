// Where the page is: a path below /console and a query, which the address holds.
import { signal } from "@preact/signals";

const read = () => ({
  path: location.pathname.replace(/^\/console\/?/, "").replace(/\/$/, ""),
  query: new URLSearchParams(location.search),
});

export const route = signal(read());

addEventListener("popstate", () => (route.value = read()));

export function go(path) {
  history.pushState(null, "", `/console/${path}`);
  route.value = read();
  scrollTo(0, 0);
}

/** Changes members of the query in place; empty ones are left out. */
export function ask(changes) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    value ? query.set(name, value) : query.delete(name);
  }
  const text = query.toString();
  history.replaceState(null, "", location.pathname + (text && `?${text}`));
  route.value = read();
}

/** Follows links within the console without loading it again. */
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href^='/console/']");
  if (link && !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    go(link.getAttribute("href").slice("/console/".length));
  }
});
