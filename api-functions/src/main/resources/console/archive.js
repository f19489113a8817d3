// The entries of a ZIP archive, which 3MF is, unpacked by the browser itself.
import { t } from "./texts.js";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/**
 * @param {ArrayBuffer} bytes
 * @returns {Map<string, () => ReadableStream<Uint8Array<ArrayBuffer>>>} each entry's name, and its bytes as a stream
 */
export function entries(bytes) {
  const view = new DataView(bytes);
  let end = bytes.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) {
    end--;
  }
  if (end < 0) {
    throw new Error(t("the file is no archive"));
  }
  const found = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0 && view.getUint32(at, true) === ENTRY; left--) {
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const local = view.getUint32(at + 42, true);
    found.set(new TextDecoder().decode(new Uint8Array(bytes, at + 46, name)), () => {
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const stream = new Blob([new Uint8Array(bytes, start, packed)]).stream();
      return method === DEFLATED ? stream.pipeThrough(new DecompressionStream("deflate-raw")) : stream;
    });
    at += 46 + name + extra + comment;
  }
  return found;
}

/** Lets the page live between two chunks of work. */
const breath = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Gives the text of a stream in small pieces, so that nothing freezes; `take` answers false when it has enough.
 * @param {any} stream
 * @param {any} take
 */
export async function readText(stream, take) {
  const PIECE = 1 << 16;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rested = performance.now();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    for (let i = 0; i < value.length; i += PIECE) {
      if (take(value.slice(i, i + PIECE)) === false) {
        reader.cancel();
        return;
      }
      if (performance.now() - rested > 12) {
        await breath();
        rested = performance.now();
      }
    }
  }
}
