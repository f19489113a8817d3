// What people call the things that files, printers and the interface name by tokens.
import { t } from "./texts.js";

/** @type {Record<string, string>} */
const PART_TYPES = { gcode: "G-code", gcode3mf: t("Sliced 3MF"), "3mf": "3MF", stl: "STL", step: "STEP", scad: "OpenSCAD" };

/** @param {any} type */
export const partType = (type) => PART_TYPES[type] ?? type;

/** @type {Record<string, string>} */
export const SLICERS = { slicer1: "OrcaSlicer", slicer2: "Bambu Studio", slicer3: "PrusaSlicer", slicer4: "SuperSlicer" };

/**
 * A slicer and its version, such as `OrcaSlicer 2.3.0`.
 * @param {string} text
 */
export const slicer = (text) => text?.replace(/^slicer\d/, (/** @type {any} */ token) => SLICERS[token] ?? token) ?? "";

/** @type {Record<string, string>} */
const JOB_STATUSES = {
  "Waiting-for-approval": t("Waiting for approval"),
  Pending: t("Waiting"),
  Sliced: t("Sliced"),
  "Sending-to-printer": t("Sending to printer"),
  Printing: t("Printing"),
  Paused: t("Paused"),
  Completed: t("Completed"),
  Failed: t("Failed"),
  Cancelled: t("Cancelled"),
};

/** @param {any} status */
export const jobStatus = (status) => JOB_STATUSES[status] ?? status.replaceAll("-", " ");

const EXTERNAL = [254, 255]; // units of printers that take a spool without a filament unit

/**
 * A slot for filament as printers label it, such as `A1`.
 * @param {any} unit
 * @param {any} slot
 */
export const slotName = (unit, slot) =>
  unit < 0 || EXTERNAL.includes(unit)
    ? t("External spool")
    : `${unit < 26 ? String.fromCharCode(65 + unit) : `${t("Unit {number}", { number: unit + 1 })}, `}${slot + 1}`;

/** @type {Record<string, string>} */
const REQUIREMENTS = {
  "user.tags": t("tag"),
  "user.name": t("name"),
  "printer.modelName": t("model"),
  "printer.nozzleDiameter": t("nozzle"),
  "printer.provider": t("provider"),
  "printer.id": t("printer"),
};

/**
 * What a job needs of its printer, such as `tag petg`.
 * @param {string} name
 * @param {any} value
 */
export const requirement = (name, value) => `${REQUIREMENTS[name] ?? name} ${String(value).replace(/^=/, "")}`;

/** The stages of reading a file: what is done while each runs. */
export const STAGES = {
  fetch: t("Fetching the file"),
  "read-metadata": t("Reading the file"),
  thumbnails: t("Making pictures"),
  "split-plates": t("Splitting the plates"),
  estimate: t("Estimating the print"),
};

/**
 * What the farm finds wrong with a value, without the path of the value and the pattern that it must match.
 * @param {{ path: string, message: any }} given
 */
export function fieldProblem({ path, message }) {
  const text = (path && message.startsWith(path) ? message.slice(path.length).trim() : message)
    .replace(/must match ".*"|must be an id: .*/, t("is missing or not valid"))
    .replace(/^[a-z]\w*(\[\d+\])?(\.\w+(\[\d+\])?)+ /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
