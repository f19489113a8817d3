// Arrangements of the tiles, which the farm keeps: faults come first unless one of them is chosen.
import { computed, signal } from "@preact/signals";
import { all as listed, may, own, patch, post, send } from "./api.js";
import { ids } from "./farm.js";
import { say } from "./toast.js";
import { t } from "./texts.js";

const CHOSEN = "gantry.layout"; // which one this browser shows

export const layouts = signal([]);
const wanted = signal(localStorage.getItem(CHOSEN) ?? "");

/** Whether tiles are being moved, and the one that somebody has lifted by keys or by the pointer, with its place. */
export const arranging = signal(false);
export const lifted = signal("");
export const target = signal(null);

export const layout = computed(() => layouts.value.find((/** @type {any} */ each) => each.id === wanted.value));

/** @param {any} cards */
const inOrder = (cards) =>
  [...cards]
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map((card) => card.entityId)
    .filter(Boolean);

/** All printers as the chosen arrangement has them, those that it does not know at its end; undefined without one. */
export const arranged = computed(() => {
  if (!layout.value) {
    return undefined;
  }
  const there = new Set(ids.value);
  const known = inOrder(layout.value.definition.cards).filter((id) => there.has(id));
  const placed = new Set(known);
  return [...known, ...ids.value.filter((/** @type {string} */ id) => !placed.has(id))];
});

export async function loadLayouts() {
  if (may("layout.view")) {
    const before = layouts.peek();
    const found = await listed("/v1/layouts?mode=grid&sort=name");
    layouts.peek() === before ? (layouts.value = found) : await loadLayouts(); // it is older than what was changed here
  }
}

/** @param {string} id */
export function choose(id) {
  wanted.value = id;
  arranging.value = false;
  id ? localStorage.setItem(CHOSEN, id) : localStorage.removeItem(CHOSEN);
}

/**
 * @param {string[]} order
 * @param {any} columns
 */
const definition = (order, columns) => ({
  formatVersion: 1,
  mode: "grid",
  cards: order.map((/** @type {string} */ id, /** @type {number} */ i) => ({
    id: `printer-${id}`,
    card: "printer",
    entityId: id,
    x: i % columns,
    y: Math.floor(i / columns),
    w: 1,
    h: 1,
  })),
});

/** @param {any} changed */
const show = (changed) =>
  (layouts.value = [...layouts.value.filter((/** @type {any} */ each) => each.id !== changed.id), changed].sort((a, b) =>
    a.name.localeCompare(b.name),
  ));

/** @param {any} problem */
const refused = (problem) => say(problem.details?.[0]?.message ?? problem.message, true);

/**
 * Begins one of this name with the tiles as they stand; it is the session's own.
 * @param {string} name
 * @param {string[]} order
 * @param {any} columns
 */
export const begin = (name, order, columns) =>
  post("/v1/layouts", {
    name,
    userId: own().name,
    mode: "grid",
    formatVersion: 1,
    isDefault: false,
    definition: definition(order, columns),
  }).then((made) => {
    show(made);
    choose(made.id);
    arranging.value = true;
  }, refused);

export function remove() {
  const { id, name } = layout.value;
  return send("DELETE", `/v1/layouts/${id}`).then(() => {
    layouts.value = layouts.value.filter((/** @type {any} */ each) => each.id !== id);
    choose("");
    say(t("{name} is gone", { name }));
  }, refused);
}

let chain = Promise.resolve();

/**
 * Puts a tile before or after another, and back where the farm refuses it.
 * @param {string} id
 * @param {any} beside
 * @param {any} after
 * @param {any} columns
 */
export function put(id, beside, after, columns) {
  const rest = (arranged.peek() ?? []).filter((each) => each !== id);
  const at = rest.indexOf(beside);
  if (at < 0 || id === beside) {
    return;
  }
  rest.splice(at + (after ? 1 : 0), 0, id);
  const before = layout.peek();
  const next = { ...before, definition: definition(rest, columns) };
  show(next);
  chain = chain
    .then(() => patch(`/v1/layouts/${before.id}`, { definition: next.definition }))
    .catch((problem) => {
      layout.peek() === next && show(before);
      refused(problem);
    });
}
