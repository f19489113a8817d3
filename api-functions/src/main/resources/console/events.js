// The events of notifications, by topic and in words, and the outcomes of their deliveries.
import { html } from "./html.js";
import { Check } from "./components.js";
import { t } from "./texts.js";

/** @type {Channel["events"]} */
export const EVENTS = [
  "onJobFailed",
  "onJobPaused",
  "onJobStarted",
  "onJobSucceeded",
  "onJobCancelled",
  "onJobRetried",
  "onQueuePaused",
  "onPrinterHmsError",
  "onPrinterHmsWarning",
  "onPrinterOffline",
  "onPrinterOnline",
  "onPrinterQuarantined",
  "onPrinterContinuousPrintDisabled",
  "onBedNeedsClearing",
  "onAgentOffline",
  "onMaintenanceModeOn",
  "onMaintenanceModeOff",
  "onOrderLate",
  "onOrderOnTime",
  "onOrderCreatedManual",
  "onOrderCreatedRetail",
  "onOrderCancelled",
  "onOrderClosed",
  "onOrdersAutoPrinted",
  "onPartHeld",
  "onPartProcessed",
  "onPartProcessingFailed",
  "onMaterialUsageRecorded",
  "onFilamentLow",
  "onFilamentRunOut",
  "onBackupFailed",
];

/** @type {Record<string, any>} Topics of events, by their names; an event belongs to the first that matches. */
const TOPICS = {
  [t("Jobs")]: /^on(Job|Queue)/,
  [t("Printers")]: /^on(Printer|Maintenance|Bed|Agent)/,
  [t("Orders")]: /^onOrder/,
  [t("Server")]: /^onBackup/,
  [t("Parts and materials")]: /^on/,
};
/** @type {Record<string, string>} Clearer words for the events whose names are not plain English. */
const WORDS = {
  onPrinterHmsError: t("Printer error"),
  onPrinterHmsWarning: t("Printer warning"),
  onFilamentRunOut: t("Filament used up"),
  onOrderCreatedManual: t("Order entered by hand"),
  onOrderCreatedRetail: t("Order received from a shop"),
  onOrdersAutoPrinted: t("Order queued automatically"),
};
/**
 * Returns `Order on time` for `onOrderOnTime`.
 * @param {string} event
 */
export const nameOf = (event) =>
  WORDS[event] ??
  event
    .slice(2)
    .replace(
      /([a-z])([A-Z])/g,
      (/** @type {any} */ _, /** @type {any} */ end, /** @type {any} */ start) => `${end} ${start.toLowerCase()}`,
    );

/** @param {string} event */
const topicOf = (event) => Object.keys(TOPICS).find((topic) => TOPICS[topic].test(event));

/**
 * Boxes for events, by topic.
 * @param {{ events: string[], isOn: (event: string) => boolean, disabled?: boolean, onChange: (event: string, on: boolean) => unknown }} props
 */
export const Events = ({ events, isOn, disabled = false, onChange }) =>
  html`<div class="events">${Object.keys(TOPICS).map((topic) => html`<fieldset key=${topic}><legend>${topic}</legend>${events.filter((event) => topicOf(event) === topic).map((event) => html`<${Check} key=${event} label=${nameOf(event)} checked=${isOn(event)} disabled=${disabled} onChange=${(on) => onChange(event, on)} />`)}</fieldset>`)}</div>`;

/**
 * Returns the outcome of a delivery in words.
 * @param {any} each
 */
export const outcome = (each) =>
  each.statusCode
    ? t("answered {statusCode} after {durationMs} ms", { statusCode: each.statusCode, durationMs: each.durationMs })
    : t("{error} after {durationMs} ms", { error: each.error ?? each.errorClass ?? t("no answer"), durationMs: each.durationMs });
