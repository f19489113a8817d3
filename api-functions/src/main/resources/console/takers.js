// Which printers could take a print, and in which order they could start it.
import { byName } from "./format.js";
import { t } from "./texts.js";

/** @type {Record<string, string>} What a printer that fails a check is, or lacks. */
export const LACKS = {
  enabled: t("Disabled"),
  online: t("Not reachable"),
  "state-known": t("In fault, or in an unknown state"),
  available: t("Busy with another job"),
  ready: t("Waits for its bed to be cleared"),
  "profiles-configured": t("Not set up for this file"),
  "model-match": t("Another model than the file was made for"),
  "nozzle-match": t("Another nozzle than the file was made for"),
  "fits-volume": t("Too small"),
  "fits-area": t("Off the bed"),
  "temperature-limit": t("Too hot"),
  extrudes: t("Not a print"),
  "slots-loaded": t("No filament loaded"),
  "tags-match": t("Not what the job's tags ask for"),
  "material-match": t("Other materials loaded"),
  "material-insufficient": t("Too little filament left"),
  "filament-profiles": t("Its filaments cannot be sliced for"),
  "in-maintenance": t("In maintenance"),
  quarantined: t("In quarantine, since prints failed on it"),
  "failed-there": t("The job failed on it, and another can print it"),
  "part-held": t("Its part is on hold"),
  "queue-paused": t("The queue is paused"),
  throttled: t("Its start is delayed, so that not all printers heat at once"),
};

/** Checks that a printer fails for now: the rest it fails until somebody changes something. */
export const FOR_NOW = new Set([
  "enabled",
  "online",
  "state-known",
  "available",
  "ready",
  "in-maintenance",
  "quarantined",
  "queue-paused",
  "throttled",
]);

const BED = 120; // seconds that somebody needs to clear a bed
const UNKNOWN = 7 * 86_400;

/** @type {Record<string, any>} Later than any time that is known: what somebody must change first, and last what is out of reach. */
const RANKS = { throttled: 1, "queue-paused": 2, "state-known": 3, quarantined: 4, "in-maintenance": 5, enabled: 6, online: 9 };

/**
 * Seconds until a printer could start, by the codes of the checks that it fails for now and the seconds left of its print.
 * @param {any} codes
 * @param {any} left
 */
export function startsIn(codes, left) {
  const rank = Math.max(0, ...codes.map((/** @type {string} */ code) => RANKS[code] ?? 0));
  if (rank) {
    return rank * UNKNOWN;
  }
  return (codes.includes("available") ? (left ?? UNKNOWN / 2) : 0) + (codes.includes("ready") || codes.includes("available") ? BED : 0);
}

/**
 * The printers in the order in which they could start: `codes` are the checks that each fails for now, `left` is in seconds.
 * @param {any[]} printers
 */
export const inStartOrder = (printers) =>
  printers
    .map((/** @type {any} */ each) => ({ ...each, starts: startsIn(each.codes, each.left) }))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => a.starts - b.starts || byName.compare(a.name, b.name));
