// States of printers in words.
import { helpFor } from "./faulthelp.js";
import { t } from "./texts.js";

/**
 * A colour as G-code and spools name it: with or without #, with or without alpha.
 * @param {string} text
 */
export const color = (text) => (/^#?[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text ?? "") ? `#${text.replace("#", "").slice(0, 6)}` : null);

/** @type {Record<string, any>} How a printer is shown: in which order, by which word and icon; the colour is the style's, by the name. */
export const LOOKS = {
  fault: { rank: 0, word: t("Fault"), icon: "alert" },
  paused: { rank: 1, word: t("Paused"), icon: "pause" },
  clear: { rank: 2, word: t("Clear the bed"), icon: "bed" },
  printing: { rank: 3, word: t("Printing"), icon: "play" },
  preparing: { rank: 4, word: t("Preparing"), icon: "heat" },
  ready: { rank: 5, word: t("Ready"), icon: "check" },
  offline: { rank: 6, word: t("Offline"), icon: "offline" },
  off: { rank: 7, word: t("Out of service"), icon: "off" },
};

/**
 * The look of a printer, by its record and its state; both may lag, and the graver one counts.
 * @param {Printer} printer
 * @param {PrinterState | undefined} state
 */
export function look(printer, state) {
  const busy = printer.printingJobId !== null;
  if (printer.isInMaintenance || !printer.enabled) {
    return "off";
  }
  if (!printer.isOnline || state?.connection === "offline") {
    return busy ? "fault" : "offline";
  }
  switch (state?.status) {
    case "error":
      return "fault";
    case "paused":
      return "paused";
    case "printing":
      return "printing";
    case "preparing":
      return "preparing";
    default:
      if (state?.errors.length) {
        return "fault";
      }
      return !printer.confirmedReady ? "clear" : printer.quarantinedAt ? "fault" : busy ? "preparing" : "ready";
  }
}

/**
 * What is the matter, or what is done next, in a sentence.
 * @param {Printer} printer
 * @param {PrinterState | undefined} state
 * @param {any} kind
 */
export function matter(printer, state, kind) {
  const fault = state?.errors[0]?.message;
  switch (kind) {
    case "fault":
      return (
        fault ??
        (!printer.isOnline
          ? t("Not reachable while it has a job")
          : printer.quarantinedAt
            ? t("In quarantine: {quarantineReason}", { quarantineReason: printer.quarantineReason ?? "" })
            : t("The printer reports an error"))
      );
    case "paused":
      return fault ?? t("Waits to be resumed");
    case "clear":
      return (
        /** @type {Record<string, string>} */ ({
          finished: t("Print finished"),
          failed: t("Print failed"),
          cancelled: t("Print cancelled"),
        })[state?.status ?? ""] ?? t("Waits for a clear bed")
      );
    case "offline":
      return state?.connectionReason ? helpFor(state.connectionReason).says : t("Its agent cannot reach it");
    case "off":
      return printer.isInMaintenance ? t("In maintenance") : t("Disabled");
    default:
      return fault ?? "";
  }
}

/**
 * A file's name without what the farm puts before it.
 * @param {string | undefined} text
 */
export const fileName = (text) => text?.replace(/^gantry-[a-z0-9]{24}-\d+-/, "");
