// Addresses of pictures, which are asked for together and good for an hour.
import { signal } from "@preact/signals";
import { may, post } from "./api.js";

const LIFE = 3600;
const known = new Map();
/** @type {string[]} */
let wanted = [];

/**
 * A signal of the picture's address; undefined until it is known.
 * @param {string | null} uri
 */
export function picture(uri) {
  const before = known.get(uri);
  if (before && before.until > Date.now()) {
    return before.address;
  }
  const entry = { address: before?.address ?? signal(undefined), until: Date.now() + (LIFE - 300) * 1000 };
  known.set(uri, entry);
  if (may("file.download")) {
    uri && wanted.push(uri);
    if (wanted.length === 1) {
      setTimeout(fetchAll, 20);
    }
  }
  return entry.address;
}

async function fetchAll() {
  const paths = wanted.splice(0, 500);
  wanted = [];
  try {
    const { signedUrls } = await post("/v1/storage/signed-urls", { paths, duration: LIFE });
    paths.forEach((path, i) => (known.get(path).address.value = signedUrls[i]));
  } catch {
    paths.forEach((path) => known.delete(path));
  }
}
