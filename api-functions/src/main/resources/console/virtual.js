// Long lists: only the rows near the screen are in the document, and space stands for the others.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { between } from "./windows.js";

const SMALL = 40; // rows that are all drawn
const FIRST = 20;
const MARGIN = 600; // pixels above and below the screen
const ESTIMATE = 62; // pixels of a row that was never drawn

/**
 * @param {any} heights
 * @param {any} from
 * @param {any} to
 */
const sum = (heights, from, to) => heights.slice(from, to).reduce((/** @type {any} */ all, /** @type {any} */ each) => all + each, 0);

/**
 * A list of `rows`, each with a `key`; `draw` returns the item of a row, which carries its key as `data-key`. `kept` is a key that is always drawn.
 * @param {{ rows: any[], draw: (...given: any[]) => any, kept?: any, [more: string]: any }} props
 */
export function VirtualList({ rows, draw, kept = undefined, ...attributes }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const known = useRef(new Map());
  const [[first, last], setRange] = useState([0, FIRST]);
  const isLong = rows.length > SMALL;
  const heights = rows.map((/** @type {any} */ { key }) => known.current.get(key) ?? ESTIMATE);
  const look = () => {
    const { top } = /** @type {HTMLElement} */ (list.current).getBoundingClientRect();
    const [from, to] = between(heights, -top - MARGIN, innerHeight - top + MARGIN);
    if (from !== first || to !== last) {
      setRange([from, to]);
    }
  };
  useLayoutEffect(() => {
    if (isLong) {
      for (const item of /** @type {HTMLCollectionOf<HTMLElement>} */ (list.current?.children)) {
        item.dataset.key && known.current.set(item.dataset.key, item.offsetHeight);
      }
      look();
    }
  });
  const looking = useRef(look);
  looking.current = look;
  useEffect(() => {
    let frame = 0;
    const moved = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        looking.current();
      });
    };
    if (isLong) {
      addEventListener("scroll", moved, { passive: true });
      addEventListener("resize", moved);
    }
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", moved);
      removeEventListener("resize", moved);
    };
  }, [isLong]);
  if (!isLong) {
    return html`<ul ref=${list} ...${attributes}>${rows.map(draw)}</ul>`;
  }
  const at = rows.findIndex((/** @type {any} */ { key }) => key === kept);
  const from = at < 0 ? first : Math.min(first, at);
  const to = Math.max(last, at + 1);
  const space = (/** @type {number} */ height, /** @type {string} */ key) =>
    html`<li key=${key} class="space" aria-hidden="true" style=${{ height: `${height}px` }}></li>`;
  return html`<ul ref=${list} ...${attributes}>${from > 0 && space(sum(heights, 0, from), "above")}${rows.slice(from, to).map(draw)}${to < rows.length && space(sum(heights, to, rows.length), "below")}</ul>`;
}
