// The printers: their records and their states, each a signal, so that a change redraws one tile.
import { batch, computed, signal } from "@preact/signals";
import { all, endGeneration, generation, get, may, patch, Problem, session } from "./api.js";
import { isFarmShown } from "./changes.js";
import { byName } from "./format.js";
import { follow, on, stale, unfollow } from "./live.js";
import { forgetHistory, note } from "./history.js";
import { catchUp, forgetJobs, jobOf, loadJobs, noteMove } from "./jobs.js";
import { LOOKS, look } from "./looks.js";
import { t } from "./texts.js";

const AT_ONCE = 200; // addresses of 5 kB; hosts and proxies take 8
const FIELDS =
  "id,name,vendorName,modelName,nozzleDiameter,provider,tags,enabled,confirmedReady,isOnline,isInMaintenance,quarantinedAt,quarantineReason,printingJobId,updatedAt,lifetimeJobCount,lifetimePrintHours,lastMaintenanceOfflineAt";
const RECORDS_EVERY = 20_000; // so that what another person did is seen
const MIN_PAUSE = 5000; // between requests that events cause
const ALL_EVERY = 15;

const records = new Map();
const states = new Map();
const views = new Map();
let newest = "";
let rounds = 0;
let refresh = 0;

/** The ids of all printers, by name. */
export const ids = signal([]);
export const loaded = signal(false);

/** @param {string} id */
const stateOf = (id) => {
  if (!states.has(id)) {
    states.set(id, signal(undefined));
  }
  return states.get(id);
};

/**
 * What is shown of a printer.
 * @param {string} id
 */
export function viewOf(id) {
  if (!views.has(id)) {
    views.set(
      id,
      computed(() => {
        const printer = records.get(id).value;
        const state = stateOf(id).value;
        return { printer, state, kind: look(printer, state) };
      }),
    );
  }
  return views.get(id);
}

/** @param {any[]} printers */
function keep(printers) {
  batch(() => {
    for (const printer of printers) {
      newest = printer.updatedAt > newest ? printer.updatedAt : newest;
      const kept = records.get(printer.id);
      if (!kept) {
        records.set(printer.id, signal(printer));
      } else if (printer.updatedAt >= kept.peek().updatedAt) {
        // an answer that was overtaken by a later one is old
        kept.value = printer;
      }
    }
    const known = new Set(ids.value);
    if (printers.some((/** @type {any} */ each) => !known.has(each.id))) {
      ids.value = [...records.values()]
        .map((each) => each.value)
        .sort((a, b) => byName.compare(a.name, b.name))
        .map((each) => each.id);
    }
  });
}

async function loadStates() {
  const pages = Array.from({ length: Math.ceil(ids.value.length / AT_ONCE) }, (_page, i) =>
    ids.value.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
  await Promise.all(
    pages.map(async (page) => {
      const shown = await get(`/v1/printer-states?ids=${page.join(",")}`);
      batch(() =>
        shown.forEach(({ printerId, state }) => {
          note(printerId, state);
          stateOf(printerId).value = state;
        }),
      );
    }),
  );
}

const load = () => {
  askedAt = performance.now();
  return loadRecords();
};

/** Those that changed; now and then all, to see which are gone. */
async function loadRecords() {
  if (newest && ++rounds % ALL_EVERY === 0) {
    const printers = await all(`/v1/printers?fields=${FIELDS}`);
    const there = new Set(printers.map((each) => each.id));
    keep(printers);
    ids.value = ids.value.filter((/** @type {string} */ id) => there.has(id));
    [...records.keys()].filter((id) => !there.has(id)).forEach((id) => records.delete(id));
    return;
  }
  keep(await all(`/v1/printers?fields=${FIELDS}${newest && `&updatedAt.gte=${encodeURIComponent(newest)}`}`));
}

let askedAt = -MIN_PAUSE;

/** An event may have changed records, which are asked for where they are shown, and not for each event. */
function refreshAfterEvent() {
  if (isFarmShown()) {
    refreshSoon(Math.max(250, askedAt + MIN_PAUSE - performance.now()));
  }
}

/** Records are no events: they are asked for soon after something happened, and now and then. */
export function refreshSoon(time = 250) {
  const asked = generation;
  clearTimeout(refresh);
  refresh = setTimeout(
    () =>
      load()
        .catch(() => {})
        .finally(() => asked === generation && session.value && refreshSoon(RECORDS_EVERY)),
    time,
  );
}

/** A view that shows printers or jobs opens: what was missed while none was open is read. */
export function showFarm() {
  if (loaded.peek()) {
    refreshSoon(0);
    catchUp();
  }
}

/** Loads the farm and follows it. */
export async function start() {
  on(
    "printerState",
    (/** @type {any} */ each) => each.printerId,
    (/** @type {any} */ { printerId, state }) => {
      const before = stateOf(printerId).peek();
      stateOf(printerId).value = state;
      note(printerId, state);
      if (before && (before.status !== state.status || before.connection !== state.connection)) {
        refreshAfterEvent();
      }
    },
  );
  on(
    "jobMoved",
    (/** @type {any} */ each) => each.printJobId,
    (/** @type {any} */ move) => {
      noteMove(move);
      refreshAfterEvent();
    },
  );
  on(
    "reset",
    () => "",
    () => {
      loadJobs().catch(() => {});
      refreshSoon();
    },
  );
  const jobs = loadJobs().catch(() => {});
  await loadRecords();
  await loadStates();
  loaded.value = true;
  follow(async () => {
    await Promise.all([loadRecords(), loadStates(), loadJobs()]);
  });
  refreshSoon(RECORDS_EVERY);
  await jobs;
}

export function end() {
  endGeneration();
  unfollow();
  clearTimeout(refresh);
  records.clear();
  states.clear();
  views.clear();
  forgetHistory();
  forgetJobs();
  newest = "";
  ids.value = [];
  loaded.value = false;
}

/** @param {{ state: PrinterState | undefined }} given */
const left = ({ state }) => state?.job?.remainingSeconds ?? Number.MAX_SAFE_INTEGER;

/**
 * The printers that match, faults first and then the next to finish; without subscribing to each.
 * @param {(...given: any[]) => any} matches
 */
export function ordered(matches) {
  return ids
    .peek()
    .map((/** @type {string} */ id) => ({ id, view: viewOf(id).peek() }))
    .filter((/** @type {any} */ { view }) => matches(view))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => LOOKS[a.view.kind].rank - LOOKS[b.view.kind].rank || left(a.view) - left(b.view))
    .map((/** @type {any} */ { id }) => id);
}

/**
 * What a text is looked for in.
 * @param {{ printer: Printer, state: PrinterState | undefined }} given
 */
export function words({ printer, state }) {
  return [
    printer.name,
    printer.modelName,
    printer.vendorName,
    ...printer.tags,
    jobOf(state)?.partName,
    state?.job?.fileName,
    ...(state?.filamentSlots ?? []).map((/** @type {any} */ slot) => slot.materialType),
  ]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}

/**
 * Marks beds as clear; returns why some were refused, by printer. The others are marked all the same.
 * Nothing is said of what has not been seen for a while: another may have printed on it since.
 * @param {any} wanted
 */
export async function bedsCleared(wanted) {
  const refused = new Map();
  if (stale.value) {
    wanted.forEach((/** @type {string} */ id) => refused.set(id, t("This status is too old to act on")));
    return refused;
  }
  let rest = wanted;
  while (rest.length) {
    try {
      keep(await patch("/v1/printers/confirm-ready", { ids: rest, ready: true }));
      return refused;
    } catch (/** @type {any} */ problem) {
      if (!(problem instanceof Problem) || problem.status !== 409 || !problem.details.length) {
        rest.forEach((/** @type {string} */ id) => refused.set(id, problem.message));
        return refused;
      }
      const named = problem.details.map((/** @type {any} */ fault) => [
        rest[Number(/\d+/.exec(fault.path))],
        fault.message.replace(/^printer \S+ \(.*?\): /, ""),
      ]);
      named.forEach((/** @type {any} */ [id, reason]) => refused.set(id, reason));
      rest = rest.filter((/** @type {string} */ id) => !refused.has(id));
    }
  }
  return refused;
}

export const mayClear = () => may("printer.ready");
