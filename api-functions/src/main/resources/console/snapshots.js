// What cameras show of the printers in view, asked for together, so that it counts as few requests.
import { useEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { get } from "./api.js";

const EVERY = 10_000;
const SOON = 150; // what comes into view together is asked for together
const AT_ONCE = 100;
const LATER = 30_000; // where there is no picture, for a reason
const KEPT = 60_000; // what has left the view, for when it comes back
const OLD = 20_000;
const SAME = 2000; // the age of an image is given in whole seconds

const known = new Map();
let path = "/v1/printers/snapshots";
let timer = 0;
let due = 0;
let busy = false;
let again = false;

/** Those of the wall are asked for elsewhere. */
export const askOfWall = () => (path = "/v1/wall/stills");

/** @param {string} id */
const entry = (id) => {
  if (!known.has(id)) {
    known.set(id, { still: signal(null), viewers: 0, left: 0, notBefore: 0 });
  }
  return known.get(id);
};

/**
 * The picture's address, and when it was taken; null where there is none.
 * @param {string} id
 */
export const snapshotOf = (id) => entry(id).still;

/**
 * Returns whether the image is too old to show what is there.
 * @param {any} still
 * @param {any} now
 */
export const isOld = (still, now) => now - still.at > OLD;

/** @param {any} each */
function forget(each) {
  if (each.still.peek()) {
    URL.revokeObjectURL(each.still.peek().address);
    each.still.value = null;
  }
}

/**
 * @param {any} each
 * @param {{ image: any, age: any, reason: any }} given1
 */
function show(each, { image, age, reason }) {
  each.notBefore = reason ? Date.now() + LATER : 0;
  if (!image) {
    forget(each);
    return;
  }
  const before = each.still.peek();
  const at = Date.now() - age * 1000;
  if (before?.image !== image) {
    const bytes = Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0));
    each.still.value = { image, address: URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" })), at };
    before && URL.revokeObjectURL(before.address);
  } else if (at - before.at > SAME) {
    each.still.value = { ...before, at }; // nothing moved
  }
}

async function look() {
  timer = 0;
  busy = true;
  const wanted = document.hidden
    ? []
    : [...known]
        .filter(([, each]) => each.viewers > 0 && Date.now() >= each.notBefore)
        .map(([id]) => id)
        .sort();
  const pages = Array.from({ length: Math.ceil(wanted.length / AT_ONCE) }, (_page, i) => wanted.slice(i * AT_ONCE, (i + 1) * AT_ONCE));
  await Promise.all(
    pages.map(async (page) => {
      const shown = await get(`${path}?ids=${page.join(",")}`);
      shown.forEach((/** @type {any} */ each) => known.has(each.printerId) && show(known.get(each.printerId), each));
    }),
  ).catch(() => {}); // the image shown gets old, and is marked as old
  for (const [id, each] of known) {
    if (each.viewers === 0 && Date.now() - each.left > KEPT) {
      forget(each);
      known.delete(id);
    }
  }
  busy = false;
  known.size && lookIn(again ? SOON : EVERY);
  again = false;
}

/** @param {any} time */
function lookIn(time) {
  again ||= busy && time === SOON;
  if (!busy && (!timer || performance.now() + time < due)) {
    clearTimeout(timer);
    due = performance.now() + time;
    timer = setTimeout(look, time);
  }
}

/** Nothing of what one saw is shown to the next. */
export function forgetSnapshots() {
  known.forEach(forget);
  known.clear();
}

const ids = new WeakMap();
const seen = new IntersectionObserver((changes) => changes.forEach(({ target, isIntersecting }) => view(ids.get(target), isIntersecting)), {
  rootMargin: "100px",
});
const inView = new Map();

/**
 * @param {any} watch
 * @param {any} isInView
 */
function view(watch, isInView) {
  if (watch && isInView !== Boolean(inView.get(watch))) {
    inView.set(watch, isInView);
    const each = entry(watch.id);
    each.viewers += isInView ? 1 : -1;
    each.left = Date.now();
    if (isInView) {
      lookIn(each.still.peek() ? EVERY : SOON);
    }
  }
}

/**
 * Asks for a printer's pictures as long as the element is in view.
 * @param {string} id
 */
export function useSnapshot(id) {
  const element = useRef(null);
  useEffect(() => {
    const node = element.current;
    const watch = { id };
    ids.set(node, watch);
    seen.observe(node);
    return () => {
      seen.unobserve(node);
      view(watch, false);
      inView.delete(watch);
    };
  }, [id]);
  return element;
}
