// Parts: those of the library, and files on their way into it.
import { signal } from "@preact/signals";
import { generation, get, may, post, Problem } from "./api.js";
import { on } from "./live.js";
import { t } from "./texts.js";

const FIELDS = "id,name,type,thumbnailUri,parameters,metadata,slicingEstimate,processingStatus,processing,createdAt,materials,printTags";
const SHOWN = 60;
const LOOK_EVERY = 2000;

/** The newest parts, or those of a search. */
export const parts = signal([]);

/** Files that are sent: name, share sent, and why it failed if it did. */
export const uploads = signal([]);

let text = "";
let soon = 0;

export async function loadParts(search = text) {
  text = search;
  const found = await get(
    `/v1/parts?sort=createdAt:desc&limit=${SHOWN}&fields=${FIELDS}${text && `&name.contains=${encodeURIComponent(text)}`}`,
  );
  if (search === text) {
    parts.value = found;
  }
  if (found.some((part) => part.processingStatus === "processing")) {
    lookSoon(LOOK_EVERY);
  }
}

/** @param {any} time */
function lookSoon(time) {
  clearTimeout(soon);
  soon = setTimeout(() => loadParts().catch(() => {}), time);
}

on(
  "partChanged",
  (/** @type {any} */ each) => each.id,
  () => parts.value.length && lookSoon(150),
);

/**
 * What a file holds, by its name; undefined where it is nothing that can be printed.
 * @param {string} name
 */
export function typeOf(name) {
  /** @type {[RegExp, string][]} */
  const known = [
    [/\.gcode\.3mf$/i, "gcode3mf"],
    [/\.3mf$/i, "3mf"],
    [/\.(gcode|bgcode|gco|g)$/i, "gcode"],
    [/\.stl$/i, "stl"],
    [/\.(step|stp)$/i, "step"],
    [/\.scad$/i, "scad"],
  ];
  return known.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * @param {any} upload
 * @param {any} changes
 */
function note(upload, changes) {
  Object.assign(upload, changes);
  uploads.value = [...uploads.value];
}

/**
 * Sends the bytes; only this kind of request tells how far it is.
 * @param {any} address
 * @param {any} file
 * @param {any} onProgress
 */
function put(address, file, onProgress) {
  const asked = generation;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", address);
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded / event.total);
    request.onload = () =>
      asked === generation && request.status < 300 ? resolve(null) : reject(new Problem(request.status, request.response));
    request.onerror = () => reject(new Problem(0, null));
    request.send(file);
  });
}

/**
 * Sends a file to where parts and parameters take it from; answers its URI.
 * @param {any} file
 * @param {any} onProgress
 */
export async function sent(file, onProgress) {
  const {
    signedUrls: [{ path, uploadUrl }],
  } = await post("/v1/storage/signed-upload-urls", { filenames: [file.name] });
  await put(uploadUrl, file, onProgress);
  return path;
}

/**
 * Makes a part of each file, one after the other.
 * @param {any} files
 */
export async function add(files) {
  const list = [...files].map((file) => ({ file, name: file.name, share: 0, problem: "" }));
  uploads.value = [...list, ...uploads.value];
  const asked = generation;
  for (const upload of list) {
    try {
      const type = typeOf(upload.name);
      if (!type) {
        throw new Error(t("This file cannot be printed. Use 3MF, G-code, STL, STEP or OpenSCAD."));
      }
      const path = await sent(upload.file, (/** @type {any} */ share) => note(upload, { share }));
      await post("/v1/parts", { name: upload.name.replace(/(\.gcode)?\.[^.]+$/i, ""), type, fileUris: [path] });
      uploads.value = uploads.value.filter((/** @type {any} */ each) => each !== upload);
      await loadParts("");
    } catch (/** @type {any} */ problem) {
      if (asked !== generation) {
        return;
      }
      note(upload, { problem: problem.details?.[0]?.message ?? problem.message });
    }
  }
}

export function forgetParts() {
  clearTimeout(soon);
  parts.value = uploads.value = [];
}

/** @param {any} upload */
export const forget = (upload) => (uploads.value = uploads.value.filter((/** @type {any} */ each) => each !== upload));

export const mayAdd = () => may("part.create");
