// What the event stream says of records that views ask for themselves: a view asks again when they change.
import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import { on } from "./live.js";

const TOGETHER = 400; // milliseconds in which changes are one
/** @type {Record<string, import("@preact/signals").Signal<number>>} */
const counts = { orderChanged: signal(0), channelChanged: signal(0) };

Object.entries(counts).forEach(([kind, count]) =>
  on(
    kind,
    () => "",
    () => count.value++,
  ),
);

/**
 * Calls `again` soon after records of this kind changed.
 * @param {any} kind
 * @param {(...given: any[]) => any} again
 */
export function useChanges(kind, again) {
  const count = counts[kind].value;
  useEffect(() => {
    const timer = count > 0 && setTimeout(again, TOGETHER);
    return () => clearTimeout(timer);
  }, [count]);
}

const shown = signal(0);

/** Whether a view is open that shows printers or jobs; others do not follow them closely. */
export const isFarmShown = () => shown.peek() > 0;

/**
 * Marks a view as one that shows printers or jobs; `load` brings what changed while none was open.
 * @param {any} load
 */
export function useFarmShown(load) {
  useEffect(() => {
    shown.value++;
    load();
    return () => void shown.value--;
  }, []);
}
