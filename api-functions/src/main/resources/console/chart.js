// Temperatures over the last hour, drawn by uPlot, with the same in words. uPlot is larger than any view, and comes after it.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { clock, timeOfDay } from "./format.js";
import { columns, follow } from "./history.js";
import { now } from "./live.js";
import { t } from "./texts.js";

const DRAWN_EVERY = 5000;
const HOUR = 3600;
const HEIGHT = 200;

/** Its own style sheet, once. */
function styled() {
  if (!document.querySelector("link[data-chart]")) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.dataset.chart = "";
    link.href = new URL("./vendor/uplot.css", import.meta.url).href;
    document.head.append(link);
  }
}

/** @param {string} name */
export const heaterName = (name) => {
  const [, part, number] = /^(nozzle|bed|chamber)(\d*)$/.exec(name) ?? [null, name, ""];
  return `${part[0].toUpperCase()}${part.slice(1)}${number && ` ${number}`}`;
};

/**
 * @param {string[]} names
 * @param {number} width
 * @param {any} colors
 * @param {string} text
 * @param {any} line
 */
function options(names, width, colors, text, line) {
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "12px system-ui" };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 5 } },
    scales: {
      x: { time: true, range: () => [Date.now() / 1000 - HOUR, Date.now() / 1000] },
      y: {
        range: (/** @type {any} */ _plot, /** @type {any} */ low, /** @type {any} */ high) => [
          Math.max(0, Math.floor((low ?? 0) / 20) * 20 - 20),
          Math.max(60, (high ?? 0) + 20),
        ],
      },
    },
    axes: [
      {
        ...axis,
        space: 70,
        values: (/** @type {any} */ _plot, /** @type {any} */ times) => times.map((/** @type {any} */ time) => clock(time * 1000)),
      },
      {
        ...axis,
        size: 46,
        values: (/** @type {any} */ _plot, /** @type {any[]} */ values) => values.map((/** @type {any} */ value) => `${value}°`),
      },
    ],
    series: [
      {},
      ...names.flatMap((/** @type {string} */ name, /** @type {number} */ i) => [
        { label: heaterName(name), stroke: colors[i], width: 2, spanGaps: true, points: { show: false } },
        { label: t("{heater}, target", { heater: heaterName(name) }), stroke: colors[i], width: 1, dash: [4, 4], points: { show: false } },
      ]),
    ],
  };
}

/** @param {{ id: string, online: boolean }} props */
export function Chart({ id, online }) {
  const box = useRef();
  const [Plot, setPlot] = useState(null);
  const [loaded, setLoaded] = useState("");
  useEffect(() => {
    follow(id).then(
      () => setLoaded(id),
      () => {},
    );
  }, [id]);
  useEffect(() => {
    import("uplot").then(
      (module) => setPlot(() => module.default),
      () => {},
    ); // the figures are in words, too
  }, []);
  const { names, data } = columns(id, online);
  const shape = names.join(" ");
  now.value; // redrawn as time goes by
  useEffect(() => {
    if (!names.length || !Plot) {
      return undefined;
    }
    styled();
    /** @type {any} */
    let plot;
    const draw = () => {
      plot?.destroy();
      const style = (/** @type {string} */ selector) => getComputedStyle(box.current.parentElement.querySelector(selector)).color;
      plot = new Plot(
        options(
          names,
          box.current.clientWidth,
          names.map((name) => style(`[data-heater=${name}]`)),
          style("figcaption"),
          getComputedStyle(box.current.parentElement).borderTopColor,
        ),
        columns(id, online).data,
        box.current,
      );
    };
    draw();
    const sized = new ResizeObserver(() => plot.setSize({ width: box.current.clientWidth, height: HEIGHT }));
    sized.observe(box.current);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    const timer = setInterval(() => plot.setData(columns(id, online).data), DRAWN_EVERY);
    return () => {
      clearInterval(timer);
      sized.disconnect();
      scheme.removeEventListener("change", draw);
      plot.destroy();
    };
  }, [id, shape, loaded, online, Plot]);
  const first = Math.max(data[0][0], Date.now() / 1000 - HOUR);
  const said = names.map((name, i) => {
    const values = data[1 + 2 * i].filter((/** @type {any} */ value) => value !== null);
    return t("{heater} between {low} and {high} °C", {
      heater: heaterName(name),
      low: Math.round(Math.min(...values)),
      high: Math.round(Math.max(...values)),
    });
  });
  return (
    names.length > 0 &&
    html`<figure class="chart"><div ref=${box} class="plot" role="img" aria-label=${t("Since {time}: {list}", { time: timeOfDay(first * 1000), list: said.join(", ") })}></div>
    <figcaption>${names.map((name) => html`<span key=${name} data-heater=${name}>${heaterName(name)}</span>`)}<span class="line">${t("Since {time}; dashed: target", { time: timeOfDay(first * 1000) })}</span></figcaption></figure>`
  );
}
