// The fleet: a tile a printer, faults first and then the next to finish.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { computed, signal, useComputed } from "@preact/signals";
import { html } from "./html.js";
import { useFarmShown } from "./changes.js";
import { may } from "./api.js";
import { bedsCleared, ids, loaded, mayClear, ordered, showFarm, viewOf, words } from "./farm.js";
import { useKeptFocus } from "./focus.js";
import { Icon } from "./icons.js";
import { jobOf, loadPromised, promised } from "./jobs.js";
import {
  arranged,
  arranging,
  begin,
  choose as chooseLayout,
  layout,
  layouts,
  lifted,
  loadLayouts,
  put,
  remove,
  target,
} from "./layouts.js";
import { now, stale } from "./live.js";
import { Notices } from "./notify.js";
import { picture } from "./pictures.js";
import { ask, go, route } from "./route.js";
import { say } from "./toast.js";
import { hasPrint, secondsLeft } from "./progress.js";
import { isOld, snapshotOf, useSnapshot } from "./snapshots.js";
import { ConfirmButton } from "./confirm.js";
import { ago, duration, time, timeOfDay } from "./format.js";
import { color, fileName, LOOKS, matter } from "./looks.js";
import { many, rich, t } from "./texts.js";

const REORDER_EVERY = 1000;
const PROMISES_EVERY = 60_000;
const SETTLED = 700; // a press so soon after tiles moved may be meant for another
const HELD = 8000;

const SIZES = { small: t("Small"), medium: t("Medium"), large: t("Large") };
const SIZE = "gantry.tiles"; // which of them this browser shows

const storedSize = localStorage.getItem(SIZE) ?? "";
const size = signal(storedSize in SIZES ? storedSize : "medium");
const order = signal([]);
const drawn = signal(0); // tiles so far: a screenful at first, the others while it is looked at
const FIRST = 30;
const MORE = 160;
const counts = signal(/** @type {Record<string, number>} */ ({}));
const chosen = signal(new Set());
const refused = signal(new Map());
const current = signal("");
let movedAt = 0;
let touchedAt = -HELD;

/** The one tile that the tab key stops at. */
const reachable = computed(() => (order.value.includes(current.value) ? current.value : order.value[0]));

const minute = computed(() => Math.floor(now.value / 20_000) * 20_000);

/** @param {URLSearchParams} query */
function matcher(query) {
  const text = (query.get("text") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const state = query.get("state");
  const tag = query.get("tag");
  const model = query.get("model");
  return (/** @type {PrinterView} */ view) =>
    (!state || view.kind === state) &&
    (!tag || view.printer.tags.includes(tag)) &&
    (!model || view.printer.modelName === model) &&
    (!text.length || text.every((/** @type {string} */ word) => words(view).includes(word)));
}

/**
 * Tiles stay where they are while somebody moves the pointer or the focus among them.
 * @param {boolean} forced
 */
function arrange(forced) {
  const matches = matcher(route.peek().query);
  const next = arranged.peek()?.filter((id) => matches(viewOf(id).peek())) ?? ordered(matches);
  /** @type {Record<string, number>} */
  const found = {};
  ids.peek().forEach((/** @type {string} */ id) => {
    const { kind } = viewOf(id).peek();
    found[kind] = (found[kind] ?? 0) + 1;
  });
  if (JSON.stringify(found) !== JSON.stringify(counts.peek())) {
    counts.value = found;
  }
  const before = order.peek();
  if (performance.now() - touchedAt < HELD && !forced) {
    const still = new Set(next);
    const known = new Set(before);
    const kept = before.filter((/** @type {string} */ id) => still.has(id));
    const fresh = next.filter((/** @type {string} */ id) => !known.has(id));
    if (kept.length === before.length && fresh.length) {
      order.value = [...before, ...fresh];
    }
  } else if (next.length !== before.length || next.some((/** @type {string} */ id, /** @type {number} */ i) => id !== before[i])) {
    movedAt = performance.now();
    order.value = next;
  }
}

/**
 * The press of a tile's button; the keyboard's has no pointer that another tile could come under.
 * @param {string} id
 * @param {any} event
 */
function press(id, event) {
  if (event.detail > 0 && performance.now() - movedAt < SETTLED) {
    say(t("The tiles moved just now: look again, then press"));
  } else {
    clear([id]);
  }
}

/** @param {any} wanted */
async function clear(wanted) {
  const reasons = await bedsCleared(wanted);
  refused.value = new Map([...[...refused.value].filter(([id]) => !wanted.includes(id)), ...reasons]);
  const done = wanted.filter((/** @type {string} */ id) => !reasons.has(id));
  chosen.value = new Set([...chosen.value].filter((id) => !done.includes(id)));
  const names = done.length === 1 ? viewOf(done[0]).peek().printer.name : many(done.length, "{count} printer", "{count} printers");
  if (reasons.size) {
    const [reason] = reasons.values();
    const refusal = many(reasons.size, "Refused for {count} printer: {reason}", "Refused for {count} printers: {reason}", { reason });
    say(done.length ? t("{names}: bed cleared. {refusal}", { names, refusal }) : refusal, true);
  } else {
    say(t("{names}: bed cleared", { names }));
  }
}

/**
 * @param {string} id
 * @param {boolean} on
 */
function choose(id, on) {
  const next = new Set(chosen.value);
  on ? next.add(id) : next.delete(id);
  chosen.value = next;
}

/**
 * What the camera sees, else the part on the bed; where there is neither, the state's icon, large.
 * @param {{ id: string, uri: string | null, icon: string }} props
 */
function Picture({ id, uri, icon }) {
  const element = useSnapshot(id);
  const still = snapshotOf(id).value;
  const old = still && isOld(still, minute.value);
  const address = still?.address ?? (uri && picture(uri).value);
  return html`<span ref=${element} class=${`picture ${still ? "still" : ""} ${old ? "old" : ""}`} title=${old ? t("seen {age} ago", { age: ago(minute.value - still.at) }) : undefined}>${address ? html`<img src=${address} alt="" loading="lazy" /><span class="badge"><${Icon} name=${icon} /></span>` : html`<${Icon} name=${icon} />`}</span>`;
}

/** @param {{ slots: any }} props */
function Filaments({ slots }) {
  const loadedSlots = slots.filter((/** @type {any} */ slot) => slot.loaded);
  return html`<ul class="filaments" aria-label=${t("Loaded filaments")}>${loadedSlots.slice(0, 8).map(
    (/** @type {any} */ slot) => html`<li key=${`${slot.amsIndex}.${slot.slotIndex}`}>
    <i class="swatch" style=${{ "--color": color(slot.color) ?? "transparent" }}></i>${slot.materialType ?? "?"}</li>`,
  )}</ul>`;
}

/** @param {{ state: PrinterState }} props */
function Progress({ state }) {
  const { job, status } = state;
  const left = secondsLeft(state, minute.value);
  const percent = Math.floor(job.percent);
  return html`<div class="progress">
    <progress max="100" value=${percent} aria-label=${t("Progress")}>${percent} %</progress>
    <span class="figures"><b>${percent} %</b>${job.totalLayers && html`<span>${t("layer {currentLayer}/{totalLayers}", { currentLayer: job.currentLayer ?? 0, totalLayers: job.totalLayers })}</span>`}
      ${left !== null && html`<span class="left" title=${status === "printing" ? t("until {time}", { time: timeOfDay(Date.now() + left * 1000) }) : undefined}>${t("{duration} left", { duration: duration(left) })}</span>`}</span>
  </div>`;
}

/** @param {{ id: string }} props */
function Tile({ id }) {
  const view = viewOf(id);
  const { printer, state, kind } = view.value;
  const { word, icon } = LOOKS[kind];
  // What all tiles share is looked at through what it means to this one, so that a change redraws those it concerns.
  const job = useComputed(() => jobOf(view.value.state)).value;
  const reach = useComputed(() => (reachable.value === id ? 0 : -1)).value;
  const isChosen = useComputed(() => chosen.value.has(id)).value;
  const reason = useComputed(() => refused.value.get(id)).value;
  const marked = useComputed(() => (target.value?.id === id ? (target.value.after ? "after" : "before") : undefined)).value;
  const isLifted = useComputed(() => lifted.value === id).value;
  const shown = state?.job && hasPrint(kind) ? state.job : null;
  const by = useComputed(() => promised.value.get(view.value.state?.job?.jobId)).value;
  const title = shown || kind === "clear" ? (job?.partName ?? fileName(state?.job?.fileName)) : undefined;
  return html`<li class="tile" data-state=${kind} data-id=${id} aria-label=${`${printer.name}: ${word}`} tabindex=${reach} data-drop=${marked} data-lifted=${isLifted ? "yes" : undefined}
      onFocusIn=${() => (current.value = id)}>
    <div class="head">
      <${Picture} id=${id} uri=${shown || kind === "clear" ? job?.thumbnailUri : null} icon=${icon} />
      <div class="title">
        <h2 title=${printer.name}><a tabindex=${reach} href=${`/console/printers/${id}`}>${printer.name}</a></h2>
        <p class="state">${word}</p>
      </div>
      ${mayClear() && html`<input type="checkbox" tabindex=${reach} checked=${isChosen} aria-label=${t("Select {name}", { name: printer.name })} onChange=${(event) => choose(id, event.target.checked)} />`}
    </div>
    <p class="part" title=${title}>${kind === "clear" && title ? html`${matter(printer, state, kind)}: ` : ""}${title ?? matter(printer, state, kind)}</p>
    ${shown ? html`<${Progress} state=${state} />` : html`<div class="progress"></div>`}
    <div class="foot">
      ${
        kind === "clear" && mayClear()
          ? html`<button class="clear" tabindex=${reach} disabled=${stale.value} onClick=${(event) => press(id, event)} title=${stale.value ? t("This status is too old to act on") : undefined}>${t("Mark bed as clear")}</button>`
          : reason
            ? null
            : (shown || kind === "fault") && matter(printer, state, kind) && title
              ? html`<p class="matter">${matter(printer, state, kind)}</p>`
              : html`<${Filaments} slots=${state?.filamentSlots ?? []} />${shown && by && html`<p class="promised">${t("done by {time}", { time: time(by) })}</p>`}`
      }
    </div>
    ${reason && html`<p class="refusal">${reason}</p>`}
  </li>`;
}

/**
 * Arrow keys go from tile to tile as they stand on the screen; letters act on the one that has the focus.
 * @param {any} event
 */
function onKey(event) {
  const tile = event.target.closest?.(".tile");
  if (!tile || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const id = tile.dataset.id;
  const tiles = [...tile.parentElement.children];
  const at = tiles.indexOf(tile);
  const columns = columnsOf(tile.parentElement);
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -at, End: tiles.length - 1 - at };
  const step = steps[event.key];
  if (arranging.peek() && lifted.peek() === id && step !== undefined) {
    const to = Math.min(Math.max(at + step, 0), tiles.length - 1);
    put(id, tiles[to].dataset.id, to > at, columns);
    say(t("{name}: place {to} of {count}", { name: viewOf(id).peek().printer.name, to: to + 1, count: tiles.length }));
  } else if (arranging.peek() && event.target === tile && (event.key === "Enter" || event.key === " " || event.key === "Escape")) {
    lifted.value = lifted.peek() || event.key === "Escape" ? "" : id;
    say(lifted.peek() ? t("Arrow keys move it, Enter drops it") : t("Dropped"));
  } else if (step !== undefined) {
    tiles[Math.min(Math.max(at + step, 0), tiles.length - 1)].focus();
  } else if (event.key === "Enter" && event.target === tile) {
    go(`printers/${id}`);
  } else if (event.key === "c" && viewOf(id).peek().kind === "clear") {
    clear([id]);
  } else if (event.key === " " && event.target === tile) {
    choose(id, !chosen.peek().has(id));
  } else {
    return;
  }
  event.preventDefault();
}

/** @param {Element} list */
const columnsOf = (list) => getComputedStyle(list).gridTemplateColumns.split(" ").length;

/**
 * In an arrangement the pointer takes a tile to before or after another.
 * @param {any} event
 */
function take(event) {
  const tile = arranging.peek() && event.button === 0 && event.target.closest(".tile");
  if (!tile) {
    return;
  }
  event.preventDefault();
  const list = tile.parentElement;
  const { id } = tile.dataset;
  lifted.value = id;
  const follow = (/** @type {any} */ next) => {
    const over = /** @type {HTMLElement | undefined} */ (document.elementFromPoint(next.clientX, next.clientY)?.closest(".tile"));
    const box = over?.getBoundingClientRect();
    target.value = over && box && over !== tile ? { id: over.dataset.id, after: next.clientX > box.left + box.width / 2 } : null;
  };
  const end = (/** @type {any} */ dropped) => {
    removeEventListener("pointermove", follow);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", escape);
    dropped && target.peek() && put(id, target.peek().id, target.peek().after, columnsOf(list));
    lifted.value = "";
    target.value = null;
  };
  const up = () => end(true);
  const cancel = () => end(false);
  const escape = (/** @type {any} */ pressed) => pressed.key === "Escape" && end(false);
  addEventListener("pointermove", follow);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", escape);
}

/** Which arrangement is shown, and how one is made, changed and removed. */
function Arranging() {
  const [naming, setNaming] = useState(false);
  const columns = () => columnsOf(/** @type {Element} */ (document.querySelector(".tiles")));
  const start = (/** @type {any} */ event) => {
    event.preventDefault();
    begin(event.target.elements.name.value.trim(), order.peek(), columns());
    setNaming(false);
  };
  return html`<label class="pick"><span class="hidden">${t("Order")}</span><select value=${layout.value?.id ?? ""} onChange=${(event) => {
    event.target.value === "new" ? setNaming(true) : chooseLayout(event.target.value);
    event.target.value = layout.peek()?.id ?? "";
  }}><option value="">${t("Faults first")}</option>${layouts.value.map((/** @type {any} */ each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}${may("layout.create") && html`<option value="new">${t("New arrangement …")}</option>`}</select></label>
    ${naming && html`<form class="naming" onSubmit=${start} onKeyDown=${(event) => event.key === "Escape" && setNaming(false)}><input name="name" aria-label=${t("Name of the arrangement")} placeholder=${t("Shelf by the door")} required maxlength="200" ref=${(input) => input?.focus()} /><button class="primary">${t("Begin")}</button></form>`}
    ${
      layout.value &&
      may("layout.edit") &&
      html`<button aria-pressed=${arranging.value} onClick=${() => {
        arranging.value = !arranging.peek();
        lifted.value = "";
      }}>${arranging.value ? t("Done") : t("Arrange")}</button>`
    }
    ${arranging.value && may("layout.delete") && html`<${ConfirmButton} word=${t("Delete")} ask=${() => ({ title: t("Delete the arrangement {name}?", { name: layout.peek().name }) })} kind="quiet" act=${remove} />`}`;
}

function Sizes() {
  return html`<label class="pick sizes"><span class="hidden">${t("Tiles")}</span><select value=${size.value} onChange=${(event) => {
    size.value = event.target.value;
    localStorage.setItem(SIZE, size.value);
  }}>${Object.entries(SIZES).map(([each, name]) => html`<option key=${each} value=${each}>${t("{name} tiles", { name })}</option>`)}</select></label>`;
}

const touch = () => (touchedAt = performance.now());
const leave = () => (touchedAt = -HELD);

function Filters() {
  const { query } = route.value;
  const state = query.get("state");
  return html`<div class="filters">
    <label class="search"><${Icon} name="search" /><span class="hidden">${t("Search printers")}</span>
      <input id="search" type="search" placeholder=${t("Printer, part, material  ( / )")} value=${query.get("text") ?? ""} onInput=${(event) => ask({ text: event.target.value })} /></label>
    <div class="chips" role="group" aria-label=${t("States")}>
      ${Object.entries(LOOKS)
        .filter(([kind]) => counts.value[kind] || state === kind)
        .map(
          ([kind, { word, icon }]) => html`<button key=${kind} class="chip" data-state=${kind} aria-pressed=${state === kind}
        onClick=${() => ask({ state: state === kind ? "" : kind })}><${Icon} name=${icon} />${word} <b>${counts.value[kind] ?? 0}</b></button>`,
        )}
    </div>
  </div>`;
}

function Picks() {
  const { query } = route.value;
  const views = ids.value.map((/** @type {string} */ id) => viewOf(id).peek().printer);
  const tags = [...new Set(views.flatMap((/** @type {Printer} */ printer) => printer.tags))].sort();
  const models = [...new Set(views.map((/** @type {Printer} */ printer) => printer.modelName).filter(Boolean))].sort();
  const select = (/** @type {string} */ name, /** @type {string} */ label, /** @type {any[]} */ values) =>
    values.length > 0 &&
    html`<label class="pick"><span class="hidden">${label}</span>
    <select value=${query.get(name) ?? ""} onChange=${(event) => ask({ [name]: event.target.value })}>
      <option value="">${t("{label}: all", { label })}</option>${values.map((/** @type {any} */ value) => html`<option key=${value} value=${value}>${value}</option>`)}</select></label>`;
  return html`${select("model", t("Model"), models)}${select("tag", t("Tag"), tags)}`;
}

function Selection() {
  const waiting = [...chosen.value].filter((id) => viewOf(id).value.kind === "clear");
  return html`<div class="bulk" role="region" aria-label=${t("Selected printers")}>
    <span>${many(chosen.value.size, "{count} printer selected", "{count} printers selected")}</span>
    <button class="clear" disabled=${!waiting.length || stale.value} onClick=${() => clear(waiting)}>${t("Mark beds as clear ({count})", { count: waiting.length })}</button>
    <button class="quiet" onClick=${() => (chosen.value = new Set())}>${t("Select none")}</button>
  </div>`;
}

/** Clears printers and arrangements for the next user. */
export function forgetFleet() {
  order.value = layouts.value = [];
  chosen.value = new Set();
  refused.value = new Map();
}

export function Fleet() {
  useFarmShown(showFarm);
  const { query } = route.value;
  useLayoutEffect(() => arrange(true), [query.toString(), ids.value, loaded.value, arranged.value]);
  useEffect(() => {
    const timer = setInterval(() => arrange(false), REORDER_EVERY);
    loadLayouts().catch(() => {});
    const promise = () => loadPromised().catch(() => {});
    promise();
    const promising = setInterval(promise, PROMISES_EVERY);
    const slash = (/** @type {any} */ event) => {
      if (event.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) {
        event.preventDefault();
        document.getElementById("search")?.focus();
      }
    };
    addEventListener("keydown", slash);
    return () => {
      clearInterval(timer);
      clearInterval(promising);
      removeEventListener("keydown", slash);
      leave();
      arranging.value = false;
    };
  }, []);
  const all = order.value.length;
  useEffect(() => {
    const next = drawn.value < all && requestAnimationFrame(() => (drawn.value = Math.max(drawn.value, FIRST) + MORE));
    return () => cancelAnimationFrame(next);
  }, [drawn.value, all]);
  useKeptFocus(".tile");
  const waiting = order.value.filter((/** @type {string} */ id) => viewOf(id).peek().kind === "clear");
  return html`<div class="fleet">
    <h1 class="hidden">${t("Fleet")}</h1>
    <${Filters} />
    <div class="bar"><span>${many(order.value.length, "{count} printer", "{count} printers")}</span>
      ${mayClear() && waiting.length > 1 && html`<button class="quiet" onClick=${() => (chosen.value = new Set(waiting))}>${t("Select all beds to clear")}</button>`}
      ${arranging.value && html`<span role="status">${t("Drag a tile, or lift it by Enter and move it by the arrow keys")}</span>`}
      <span class="picks"><${Notices} /><${Picks} /><${Sizes} /><${Arranging} /></span>
    </div>
    ${
      !loaded.value
        ? html`<p class="empty">${t("Loading the farm …")}</p>`
        : !ids.value.length
          ? html`<p class="empty">${rich("No printer is registered yet. {pair} beside the printers, and {register}.", { pair: html`<a href="/console/setup">${t("Pair an agent")}</a>`, register: html`<a href="/console/register">${t("register them")}</a>` })}</p>`
          : !order.value.length
            ? html`<p class="empty">${t("No printer matches.")} <button class="quiet" onClick=${() => ask({ text: "", state: "", tag: "", model: "" })}>${t("Show all")}</button></p>`
            : html`<ul class="tiles" data-size=${size.value} data-arranging=${arranging.value ? "yes" : undefined} onKeyDown=${onKey} onPointerMove=${touch} onPointerDown=${(
                event,
              ) => {
                touch();
                take(event);
              }} onFocusIn=${touch} onPointerLeave=${leave}>
          ${order.value.slice(0, Math.max(drawn.value, FIRST)).map((/** @type {string} */ id) => html`<${Tile} key=${id} id=${id} />`)}</ul>`
    }
    ${chosen.value.size > 0 && html`<${Selection} />`}
  </div>`;
}
