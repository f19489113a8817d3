// How far a print is, and what of it is left.

/**
 * Whether a printer of this look has a print whose progress is shown; it keeps that of its last one.
 * @param {any} kind
 */
export const hasPrint = (kind) => ["printing", "preparing", "paused", "fault"].includes(kind);

/**
 * Seconds left of the print that a printer reported some time ago, which pass only while it prints; null where it reports none.
 * @param {{ status: any, at: any, job: any }} given0
 * @param {any} now
 */
export function secondsLeft({ status, at, job }, now) {
  const left = job?.remainingSeconds ?? null;
  return left === null ? null : Math.max(0, left - (status === "printing" ? Math.max(0, (now - Date.parse(at)) / 1000) : 0));
}
