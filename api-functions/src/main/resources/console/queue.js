// The queue: what needs somebody, what prints, and what waits, in its order and with the reason why.
import { useEffect } from "preact/hooks";
import { computed } from "@preact/signals";
import { html } from "./html.js";
import { useFarmShown } from "./changes.js";
import { showFarm } from "./farm.js";
import { may } from "./api.js";
import { PausedQueue } from "./failures.js";
import { useKeptFocus } from "./focus.js";
import { duration } from "./format.js";
import { grouped, SECTIONS } from "./groups.js";
import { Icon } from "./icons.js";
import { Act, actions, chosen } from "./jobactions.js";
import { jobs, loadChanged } from "./jobs.js";
import { held, letGo, moving, told } from "./ordering.js";
import { usePromises } from "./promises.js";
import { useAnswer } from "./requests.js";
import { choose, Row } from "./queuerow.js";
import { ask, route } from "./route.js";
import { VirtualList } from "./virtual.js";
import { many, rich, t } from "./texts.js";

const LOOK_EVERY = 30_000;
const RATES_INTERVAL = 60_000;
const HOUR = 3_600_000;

const rows = computed(() => grouped([...jobs.value.values()]));

/**
 * A heading that selects all below it, and the rows, which may be moved unless only some of them are shown.
 * @param {{ name: string, list: any[], has: any, moves: any, promises: any }} props
 */
function Section({ name, list, has, moves, promises }) {
  const all = list.flatMap((/** @type {any} */ row) => row.list);
  const seconds = all.reduce((/** @type {number} */ sum, /** @type {Job} */ job) => sum + (job.estimatedSeconds ?? 0), 0);
  const some = all.some((/** @type {Job} */ job) => chosen.value.has(job.id));
  const every = some && all.every((/** @type {Job} */ job) => chosen.value.has(job.id));
  // The rows as they are when a key is pressed or the pointer lets go.
  const current = () => rows.peek().filter(({ first }) => has(first));
  const { key, before } = held.value ?? {};
  const mine = key && list.some((/** @type {any} */ row) => row.key === key);
  const last = mine && before === null ? list.findLast((/** @type {any} */ row) => row.key !== key)?.key : null;
  return html`<section><h2><label class="line"><input type="checkbox" checked=${every} ref=${(box) => box && (box.indeterminate = some && !every)} aria-label=${t("Select all: {name}", { name })} onChange=${(event) => choose(all, event.target.checked)} />${name}</label>
      <span class="count">${many(all.length, "{count} job", "{count} jobs")}${moves && seconds > 0 && ` · ${t("{duration} of printing", { duration: duration(seconds) })}`}</span></h2>
    <${VirtualList} rows=${list} kept=${mine ? key : undefined} class="rows ${moves && may("queue.override") ? "movable" : ""}" draw=${(
      row,
    ) => html`<${Row} key=${row.key} row=${row} promises=${promises} section=${moves && may("queue.override") ? current : null}
      mark=${mine && row.key === before ? "before" : row.key === last ? "after" : undefined} />`} /></section>`;
}

/** The success rate of the last 24 hours, by attempts: a failed print counts although its job was queued again. */
function Day() {
  const from = Math.floor(Date.now() / HOUR - 24) * HOUR;
  const all = useAnswer(`/v1/reports/failures?from=${new Date(from).toISOString()}`, { every: () => RATES_INTERVAL }).value?.all;
  const ended = all && all.completed + all.failed > 0;
  return html`<p class="day">${ended && html`${rich("Last 24 hours: {prints} completed, {failed} failed ({rate} % succeeded)", { prints: html`<b>${many(all.completed, "{count} print", "{count} prints")}</b>`, failed: all.failed, rate: Math.round(100 * all.successRate) })} · `}<a href="/console/finished">${t("Finished work")}</a> · <a href="/console/whatif">${t("What if …")}</a> · <a href="/console/failures">${t("Failures")}</a></p>`;
}

export function Queue() {
  useFarmShown(showFarm);
  const text = (route.value.query.get("text") ?? "").toLowerCase();
  const shown = rows.value.filter(
    ({ first }) =>
      !text || [first.partName, first.skuName, first.label, first.status].filter(Boolean).join(" ").toLowerCase().includes(text),
  );
  const selected = [...chosen.value].map((id) => jobs.value.get(id)).filter(Boolean);
  useEffect(() => {
    const timer = setInterval(() => moving.peek() || loadChanged().catch(() => {}), LOOK_EVERY);
    return () => {
      clearInterval(timer);
      letGo();
    };
  }, []);
  useKeptFocus(".row");
  const promises = usePromises("/v1/print-jobs", "hidden=false");
  return html`<div class="queue">
    <h1 class="hidden">${t("Queue")}</h1>
    <div class="filters"><label class="search"><${Icon} name="search" /><span class="hidden">${t("Search jobs")}</span>
      <input type="search" placeholder=${t("Part, SKU, label")} value=${text} onInput=${(event) => ask({ text: event.target.value })} /></label><${Day} /></div>
    <${PausedQueue} />
    <p id="moving" hidden>${t("Enter takes it, arrow keys move it, Enter drops it, Escape puts it back. Alt with an arrow key moves the row at once.")}</p>
    <p class="hidden" aria-live="assertive">${told.value}</p>
    ${SECTIONS.map(({ name, has, moves }) => {
      const list = shown.filter(({ first }) => has(first));
      return (
        list.length > 0 &&
        html`<${Section} key=${name} name=${name} list=${list} has=${has} moves=${moves && !text} promises=${promises} />`
      );
    })}
    ${!shown.length && html`<p class="empty">${text ? t("No job matches.") : t("Nothing waits and nothing prints.")}</p>`}
    ${
      selected.length > 0 &&
      html`<div class="bulk" role="region" aria-label=${t("Selected jobs")}><span>${many(selected.length, "{count} job selected", "{count} jobs selected")}</span>
      ${actions(selected).map((name) => html`<${Act} key=${name} name=${name} list=${selected} words=${true} />`)}
      <button class="quiet" onClick=${() => (chosen.value = new Set())}>${t("Select none")}</button></div>`
    }
  </div>`;
}
