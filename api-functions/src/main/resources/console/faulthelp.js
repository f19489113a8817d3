// What a printer's fault means and what to try, by the words that printers and their agent report.
import { t } from "./texts.js";

/** Each with what is tried, most of it by the person at the printer; `says` replaces words that explain nothing. */
const HELP = [
  {
    of: /connection refused|refuses the connection/i,
    says: t("The printer refuses the connection."),
    tries: t("Check that it is switched on, that network access is on in its settings, and that its address and port are right."),
  },
  {
    of: /timed? ?out|no route|unreachable|does not (respond|answer)/i,
    says: t("The printer does not answer."),
    tries: t("Check its power, its network and its address. The agent keeps trying."),
  },
  {
    of: /sent no status/i,
    says: t("The printer accepts the connection but sends no status."),
    tries: t("Restart it. Then check its serial number in its settings."),
  },
  {
    of: /not reached yet/i,
    says: t("The agent has not heard from the printer yet."),
    tries: t("Wait a minute. Then check that it is switched on and that its address and serial number are right."),
  },
  {
    of: /unknown host|host name is unknown|name or service|resolve/i,
    says: t("The printer's address is not known in its network."),
    tries: t("Check the address in its settings, or use its IP address."),
  },
  {
    of: /access code|unauthori[sz]ed|forbidden|password|api key|\b40[13]\b/i,
    tries: t("Check the access code, password or API key in the printer's settings."),
  },
  {
    of: /mcu|timer too close|lost communication/i,
    tries: t("Check the USB cable and the load of its computer, then restart the firmware."),
  },
  {
    of: /heat|thermal|temperature|thermistor|adc out of range/i,
    tries: t("Let it cool down. Check the heater's and the sensor's cables before you print again."),
  },
  { of: /filament|runout|spool/i, tries: t("Load filament, then resume the print.") },
  { of: /nozzle|clog|extru/i, tries: t("Check the nozzle and the filament path, and clean them where needed.") },
  { of: /homing|endstop|axis|collision|stall/i, tries: t("Remove what blocks the axes, and home them before you print again.") },
  { of: /door|cover|lid/i, tries: t("Close the door or the cover, then resume the print.") },
];
const DEFAULT = t("Look at the printer's own screen. When it is all right again, mark its bed as clear.");

/**
 * What is wrong, as a sentence, and what to try.
 * @param {string} text
 */
export function helpFor(text) {
  const found = HELP.find(({ of }) => of.test(text));
  return { says: found?.says ?? text, tries: found?.tries ?? DEFAULT };
}

/** @type {Record<string, string>} */
const PAGES = {
  vendorA: "bambu-lab",
  firmwareK: "klipper",
  vendorP: "prusalink",
  vendorB: "octoprint",
  sdcp: "elegoo-sdcp",
  "elegoo-mqtt": "elegoo-mqtt",
  anycubic: "anycubic",
};

/**
 * The page of the documentation about printers of this make.
 * @param {any} provider
 */
export const helpPage = (provider) => `/docs/printers/${PAGES[provider] ?? ""}`;
