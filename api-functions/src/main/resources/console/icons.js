// The few icons in use, 24 × 24, drawn by strokes of the text's colour.
import { html } from "./html.js";

/** @type {Record<string, string>} */
const PATHS = {
  alert: "M12 3 2 20h20zM12 10v5M12 17.5v.5",
  pause: "M8 5v14M16 5v14",
  bed: "M3 18h18M5 14h14M12 3v7m-3-3 3 3 3-3",
  play: "M7 4v16l13-8z",
  heat: "M8 3c3 3-3 5 0 9s-3 5 0 9M16 3c3 3-3 5 0 9s-3 5 0 9",
  check: "M4 13l5 5L20 6",
  offline: "M2 2l20 20M5 12a10 10 0 0 1 4-2.5M19 12a10 10 0 0 0-5-2.8M8.5 15.5A5 5 0 0 1 12 14M12 19h.01",
  off: "M12 3v9M6 7a8 8 0 1 0 12 0",
  fleet: "M3 3h8v8H3zM13 3h8v8h-8zM3 13h8v8H3zM13 13h8v8h-8z",
  queue: "M4 6h16M4 12h16M4 18h10",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 21 21",
  exit: "M10 4H4v16h6M9 12h12m-4-4 4 4-4 4",
  live: "M12 11v2M8 8a5.6 5.6 0 0 0 0 8M16 8a5.6 5.6 0 0 1 0 8M5 5a10 10 0 0 0 0 14M19 5a10 10 0 0 1 0 14",
  cross: "M5 5l14 14M19 5 5 19",
  retry: "M4 4v6h6M20 12a8 8 0 1 1-2.3-5.7M4 10a8 8 0 0 1 1-2",
  front: "M12 20V8m-5 5 5-5 5 5M5 4h14",
  why: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.5",
  add: "M12 5v14M5 12h14",
  print: "M6 3h12v6l-4 4h-4L6 9zM12 13v3M4 21h16",
  setup: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  order: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  folder: "M3 6h6l2 2h10v11H3z",
  grip: "M9 5h.01M15 5h.01M9 12h.01M15 12h.01M9 19h.01M15 19h.01",
  later: "M12 4v15m-6-6 6 6 6-6",
  sooner: "M12 20V5m-6 6 6-6 6 6",
  hide: "M3 3l18 18M10 6a10 10 0 0 1 11 6 12 12 0 0 1-2 3M6.5 7.5A12 12 0 0 0 3 12a10 10 0 0 0 13 5",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v6M12 7.5v.5",
  box: "M12 3 3 8v8l9 5 9-5V8zM3 8l9 5 9-5M12 13v8",
};

/**
 * An icon that says nothing beside the words next to it.
 * @param {{ name: string }} props
 */
export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
