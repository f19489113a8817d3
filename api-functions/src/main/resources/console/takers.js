// Which printers could take a print, and in which order they could start it.

/** What a printer that fails a check is, or lacks. */
export const LACKS = {
  enabled: "Disabled",
  online: "Out of reach",
  "state-known": "In fault, or in an unknown state",
  available: "Busy with another job",
  ready: "Waits for its bed to be cleared",
  "profiles-configured": "Not set up for this file",
  "model-match": "Another model than the file was made for",
  "nozzle-match": "Another nozzle than the file was made for",
  "fits-volume": "Too small",
  "fits-area": "Off the bed",
  "temperature-limit": "Too hot",
  "extrudes": "Not a print",
  "slots-loaded": "No filament loaded",
  "tags-match": "Not what the job's tags ask for",
  "material-match": "Other materials loaded",
  "filament-profiles": "Its filaments cannot be sliced for",
  "in-maintenance": "In maintenance",
  quarantined: "In quarantine, since prints failed on it",
  "failed-there": "The job failed on it, and another can print it",
  "part-held": "Its part is on hold",
  "queue-paused": "The queue is paused",
  throttled: "Its start is held, so that not all heat at once",
};

/** Checks that a printer fails for now: the rest it fails until somebody changes something. */
export const FOR_NOW = new Set(["enabled", "online", "state-known", "available", "ready", "in-maintenance", "quarantined", "queue-paused", "throttled"]);

const BED = 120; // seconds that somebody needs to clear a bed
const UNKNOWN = 7 * 86_400;

/** Later than any time that is known: what somebody must change first, and last what is out of reach. */
const RANKS = { throttled: 1, "queue-paused": 2, "state-known": 3, quarantined: 4, "in-maintenance": 5, enabled: 6, online: 9 };

/** Seconds until a printer could start, by the codes of the checks that it fails for now and the seconds left of its print. */
export function startsIn(codes, left) {
  const rank = Math.max(0, ...codes.map((code) => RANKS[code] ?? 0));
  if (rank) {
    return rank * UNKNOWN;
  }
  return (codes.includes("available") ? left ?? UNKNOWN / 2 : 0) + (codes.includes("ready") || codes.includes("available") ? BED : 0);
}

const byName = new Intl.Collator(undefined, { numeric: true });

/** The printers in the order in which they could start: `codes` are the checks that each fails for now, `left` is in seconds. */
export const inStartOrder = (printers) => printers.map((each) => ({ ...each, starts: startsIn(each.codes, each.left) })).sort((a, b) => a.starts - b.starts || byName.compare(a.name, b.name));
