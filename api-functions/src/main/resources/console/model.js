// The triangles of a 3MF, read as text as it is unpacked: no document is built of what may be hundreds of megabytes.
import { entries, readText } from "./archive.js";
import { t } from "./texts.js";

const TAG = /<([\w:]+)([^>]*)>/g;
/** @type {Record<string, any>} */
const UNITS = { micron: 0.001, millimeter: 1, centimeter: 10, inch: 25.4, foot: 304.8, meter: 1000 };
const MAX_TRIANGLES = 4_000_000;
const MAX_DEPTH = 20;
const ITSELF = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

const patterns = new Map();

/**
 * @param {string} text
 * @param {string} name
 */
function attribute(text, name) {
  if (!patterns.has(name)) {
    patterns.set(name, new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`));
  }
  return patterns.get(name).exec(text)?.[1];
}

/**
 * @param {string} text
 * @param {string} name
 */
const number = (text, name) => Number(attribute(text, name));
/** @param {string} text */
const matrix = (text) => {
  const numbers = attribute(text, "transform")?.trim().split(/\s+/).map(Number);
  return numbers?.length === 12 ? numbers : ITSELF;
};

/**
 * Three rows of a turn and one of a shift, for points as rows: first `a`, then `b`.
 * @param {any} a
 * @param {any} b
 */
function after(a, b) {
  return Array.from({ length: 12 }, (_, at) => {
    const [row, column] = [Math.floor(at / 3) * 3, at % 3];
    return a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column] + (row === 9 ? b[9 + column] : 0);
  });
}

/**
 * What a model's XML says, while its text comes in.
 * @param {string} path
 * @param {any} objects
 * @param {any} items
 */
function collector(path, objects, items) {
  let rest = "";
  let unit = 1;
  /** @type {any} */
  let current = null;
  return (/** @type {string} */ text) => {
    const all = rest + text;
    let end = 0;
    TAG.lastIndex = 0;
    for (let found = TAG.exec(all); found; found = TAG.exec(all)) {
      end = TAG.lastIndex;
      const [, name, within] = found;
      switch (name.slice(name.indexOf(":") + 1)) {
        case "model":
          unit = UNITS[attribute(within, "unit")] ?? 1;
          break;
        case "object":
          current = { points: [], corners: [], components: [], unit };
          objects.set(`${path}#${attribute(within, "id")}`, current);
          break;
        case "vertex":
          current?.points.push(number(within, "x"), number(within, "y"), number(within, "z"));
          break;
        case "triangle":
          current?.corners.push(number(within, "v1"), number(within, "v2"), number(within, "v3"));
          break;
        case "component":
          current?.components.push({
            object: `${attribute(within, "[\\w]+:path") ?? path}#${attribute(within, "objectid")}`,
            matrix: matrix(within),
          });
          break;
        case "item":
          items.push({ object: `${attribute(within, "[\\w]+:path") ?? path}#${attribute(within, "objectid")}`, matrix: matrix(within) });
          break;
        default:
      }
    }
    rest = all.slice(end);
  };
}

/**
 * @param {ArrayBuffer} bytes
 * @returns {Promise<Float32Array>} three corners of three numbers for each triangle, as the build lays them
 */
export async function triangles(bytes) {
  const objects = new Map();
  /** @type {any[]} */
  const items = [];
  for (const [name, open] of entries(bytes)) {
    if (/\.model$/i.test(name)) {
      await readText(open(), collector(`/${name}`, objects, items));
    }
  }
  /** @type {any[]} */
  const placed = [];
  let count = 0;
  const place = (/** @type {any} */ { object, matrix: own }, /** @type {any} */ outer, /** @type {any} */ depth) => {
    const found = objects.get(object);
    if (!found || depth > MAX_DEPTH) {
      return;
    }
    const whole = after(own, outer);
    count += found.corners.length / 3;
    if (count > MAX_TRIANGLES) {
      throw new Error(t("The model has too many triangles to be shown"));
    }
    placed.push({ found, whole });
    found.components.forEach((/** @type {any} */ each) => place(each, whole, depth + 1));
  };
  items.forEach((item) => place(item, ITSELF, 0));
  const result = new Float32Array(count * 9);
  let at = 0;
  for (const {
    found: { points, corners, unit },
    whole: m,
  } of placed) {
    for (const corner of corners) {
      const [x, y, z] = [points[corner * 3], points[corner * 3 + 1], points[corner * 3 + 2]];
      result[at++] = (x * m[0] + y * m[3] + z * m[6] + m[9]) * unit;
      result[at++] = (x * m[1] + y * m[4] + z * m[7] + m[10]) * unit;
      result[at++] = (x * m[2] + y * m[5] + z * m[8] + m[11]) * unit;
    }
  }
  return result;
}
