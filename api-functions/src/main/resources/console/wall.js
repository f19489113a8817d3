// The wall: every printer's picture and state, for a screen that nobody touches.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { get, own } from "./api.js";
import { ago, duration } from "./format.js";
import { Icon } from "./icons.js";
import { now } from "./live.js";
import { askOfWall, isOld, snapshotOf, useSnapshot } from "./snapshots.js";
import { LOOKS } from "./looks.js";
import { many, t } from "./texts.js";

const EVERY = 15_000;
const OLD = 20_000;
const PHONE = 640;
const WIDE = 5 / 4; // a tile of a picture 16 : 9 and its caption

/**
 * How many columns make the tiles of a screen largest, all of them in view.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
function columnsFor(count, width, height) {
  const size = (/** @type {any} */ columns) => Math.min(width / columns, (height / Math.ceil(count / columns)) * WIDE);
  return Array.from({ length: count }, (_tile, i) => i + 1).reduce((best, columns) => (size(columns) > size(best) ? columns : best), 1);
}

/** @param {{ printer: any }} props */
function Tile({ printer: { id, name, state, part, percent, secondsLeft } }) {
  const element = useSnapshot(id);
  const still = snapshotOf(id).value;
  const old = still && isOld(still, now.value);
  const { word, icon } = LOOKS[state];
  return html`<li ref=${element} class="screen" data-state=${state} aria-label=${`${name}: ${word}`}>
    <div class="seen">${still ? html`<img class=${old ? "old" : ""} src=${still.address} alt="" />` : html`<${Icon} name=${icon} />`}
      ${old && html`<p class="age">${t("{age} old", { age: ago(now.value - still.at) })}</p>`}</div>
    <div class="caption"><div class="line"><h2>${name}</h2><p class="state"><${Icon} name=${icon} /><span>${word}</span></p></div>
      ${(part || percent !== null) && html`<p class="part"><span>${part ?? ""}</span>${percent !== null && html`<b>${percent} %</b>`}${secondsLeft !== null && html`<b>${duration(secondsLeft)}</b>`}</p>`}
      ${percent !== null && html`<progress max="100" value=${percent} aria-label=${t("Progress of {name}", { name })}></progress>`}</div></li>`;
}

export function Wall() {
  const [printers, setPrinters] = useState(null);
  const [heardAt, setHeardAt] = useState(Date.now());
  const list = useRef(null);
  useEffect(() => {
    document.title = t("Wall · {store}", { store: own().store.name });
    askOfWall();
    let timer = 0;
    const look = async () => {
      if (!document.hidden) {
        await get("/v1/wall").then(
          (all) => {
            setPrinters(all);
            setHeardAt(Date.now());
          },
          () => {},
        ); // the image shown gets old, and is marked as old
      }
      timer = setTimeout(look, EVERY);
    };
    look();
    return () => clearTimeout(timer);
  }, []);
  const count = printers?.length ?? 0;
  useLayoutEffect(() => {
    const node = list.current;
    const fit = () => {
      const columns = innerWidth <= PHONE ? Math.min(2, count) : columnsFor(count, node.clientWidth, node.clientHeight);
      node.style.setProperty("--columns", columns);
      node.style.setProperty("--rows", innerWidth <= PHONE ? "auto" : Math.ceil(count / columns));
    };
    const watch = node && new ResizeObserver(fit);
    watch?.observe(node);
    return () => watch?.disconnect();
  }, [count]);
  const troubles = printers?.filter((/** @type {any} */ { state }) => state === "fault" || state === "paused").length ?? 0;
  const age = now.value - heardAt;
  return html`<main class="wall"><header><h1>${own().store.name}</h1>
      <p>${printers && many(count, "{count} printer", "{count} printers")}</p>${troubles > 0 && html`<p class="trouble"><${Icon} name="alert" />${many(troubles, "{count} printer needs attention", "{count} printers need attention")}</p>`}
      ${age > OLD && html`<p class="trouble" role="status"><${Icon} name="offline" />${t("No contact with the farm for {age}", { age: ago(age) })}</p>`}</header>
    ${
      count > 0
        ? html`<ul ref=${list} class=${`screens ${age > OLD ? "old" : ""}`}>${printers.map((/** @type {Printer} */ printer) => html`<${Tile} key=${printer.id} printer=${printer} />`)}</ul>`
        : html`<p class="empty">${printers ? t("No printer is registered yet.") : t("Loading the farm …")}</p>`
    }</main>`;
}
