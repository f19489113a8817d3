// What heaters did within the last hour, as far as the console was open: of each printer a ring of samples.
const EVERY = 10; // seconds
const KEPT = 360;
const FIRST = 24;
const HEATERS = 4;
const WIDTH = 1 + 2 * HEATERS;
const begun = Math.floor(Date.now() / 1000);

/** Printer → its ring; it grows to an hour of samples and then forgets the oldest. */
const rings = new Map();

const grown = (ring) => {
  const samples = new Float32Array(Math.min(ring.size * 3, KEPT) * WIDTH);
  samples.set(ring.samples);
  return { ...ring, samples, size: samples.length / WIDTH };
};

/** Keeps a sample, unless the last one is too near. */
export function note(id, state) {
  const heaters = Object.entries(state?.temperatures ?? {});
  const time = Date.now() / 1000 - begun;
  let ring = rings.get(id) ?? { samples: new Float32Array(FIRST * WIDTH), size: FIRST, count: 0, last: -EVERY, names: [] };
  if (!heaters.length || time - ring.last < EVERY) {
    return;
  }
  if (ring.count === ring.size && ring.size < KEPT) {
    ring = grown(ring);
  }
  const at = (ring.count % ring.size) * WIDTH;
  ring.samples.fill(NaN, at, at + WIDTH);
  ring.samples[at] = time;
  for (const [name, { actual, target }] of heaters) {
    const known = ring.names.indexOf(name);
    const heater = known < 0 && ring.names.length < HEATERS ? ring.names.push(name) - 1 : known;
    if (heater >= 0) {
      ring.samples[at + 1 + 2 * heater] = actual;
      ring.samples[at + 2 + 2 * heater] = target;
    }
  }
  ring.last = time;
  ring.count++;
  rings.set(id, ring);
}

/** The heaters' names, and columns as a chart takes them: times, then the measured and the wanted of each. */
export function columns(id) {
  const ring = rings.get(id);
  if (!ring) {
    return { names: [], data: [[]] };
  }
  const kept = Math.min(ring.count, ring.size);
  const data = Array.from({ length: 1 + 2 * ring.names.length }, () => new Array(kept));
  for (let i = 0; i < kept; i++) {
    const at = ((ring.count - kept + i) % ring.size) * WIDTH;
    data.forEach((column, j) => {
      const value = ring.samples[at + j];
      column[i] = j === 0 ? value + begun : Number.isNaN(value) || (j % 2 === 0 && value === 0) ? null : value;
    });
  }
  return { names: ring.names, data };
}

export const forgetHistory = () => rings.clear();
