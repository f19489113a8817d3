// What happens, as it happens: the event stream, taken up where it was cut, or polling where a host cannot stream.
import { batch, computed, signal } from "@preact/signals";

const QUIET = 40_000; // the farm says every 15 s that it is there
const MAX_PAUSE = 15_000;
const POLL = 5_000;
const MAX_PER_FRAME = 8;

/** When the farm was last heard of, and how: "live", "polling", "cut", or "connecting" at first. */
export const heard = signal({ at: Date.now(), how: "connecting" });

/** Ticks each second for what says how old it is. */
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 1000);

/** What is shown may be out of date, and nothing should be decided by it. */
export const stale = computed(() => (heard.value.how === "cut" || heard.value.how === "connecting") && now.value - heard.value.at > 20_000);

const listeners = new Map();
const waiting = new Map();
let frame = 0;

/**
 * Subscribes to events of a kind; of those with one key, only the last of each frame is delivered.
 * @param {string} kind
 * @param {(data: any) => string} key
 * @param {(...given: any[]) => any} listener
 */
export function on(kind, key, listener) {
  listeners.set(kind, { key, listener });
}

/**
 * @param {string} kind
 * @param {any} data
 */
function tell(kind, data) {
  const known = listeners.get(kind);
  if (known) {
    waiting.set(`${kind} ${known.key(data)}`, () => known.listener(data));
    frame ||= document.hidden ? setTimeout(flush, 1000) : requestAnimationFrame(flush);
  }
}

/** So many a frame, that no frame is late; a page that nobody sees takes all at once. */
function flush() {
  frame = 0;
  const work = [...waiting].slice(0, document.hidden ? waiting.size : MAX_PER_FRAME);
  work.forEach(([key]) => waiting.delete(key));
  batch(() => work.forEach(([, each]) => each()));
  if (waiting.size) {
    frame = requestAnimationFrame(flush);
  }
}

document.addEventListener("visibilitychange", () => {
  if (waiting.size) {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(flush);
  }
});

/** Nothing was ever heard until the first answer: a page that opens is not cut off. */
const missed = () => (heard.value = { ...heard.value, how: "cut" });

let last = "";
let stop = () => {};
let wake = () => {};
let cut = new AbortController();

/** How often the browser found its network again. */
export const returns = signal(0);

addEventListener("online", () => {
  returns.value++;
  wake();
});
addEventListener("offline", () => cut.abort());

/**
 * Opens the stream; `poll` fetches everything again while there is none.
 * @param {(...given: any[]) => any} poll
 */
export function follow(poll) {
  let ended = false;
  stop();
  stop = () => {
    ended = true;
    last = "";
    waiting.clear();
    cut.abort();
    wake();
  };
  const pause = (/** @type {any} */ time) =>
    new Promise((resolve) => {
      wake = () => resolve(null);
      setTimeout(wake, time);
    });
  const run = async () => {
    let wait = 1000;
    while (!ended) {
      cut = new AbortController();
      const before = heard.value.at;
      const outcome = await stream(cut).catch(() => "cut");
      if (ended) {
        return;
      }
      if (outcome === "unable") {
        await poll().then(() => (heard.value = { at: Date.now(), how: "polling" }), missed);
        await pause(POLL);
        continue;
      }
      wait = heard.value.at > before ? 1000 : Math.min(wait * 2, MAX_PAUSE);
      missed();
      await pause(wait * (0.5 + Math.random() / 2));
    }
  };
  run();
}

export const unfollow = () => stop();

/** @param {any} own */
async function stream(own) {
  let silence = setTimeout(() => own.abort(), QUIET);
  const response = await fetch("/v1/stream", {
    headers: { accept: "text/event-stream", ...(last && { "last-event-id": last }) },
    credentials: "same-origin",
    signal: own.signal,
  });
  if (!response.ok) {
    return response.status === 501 || response.status === 429 ? "unable" : "cut";
  }
  heard.value = { at: Date.now(), how: "live" }; // where nothing happens, the first line comes late
  const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    clearTimeout(silence);
    if (done) {
      return "ended";
    }
    silence = setTimeout(() => own.abort(), QUIET);
    heard.value = { at: Date.now(), how: "live" };
    const events = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = events.pop() ?? "";
    events.forEach(read);
  }
}

/** @param {string} text */
function read(text) {
  let kind = "message";
  const data = [];
  for (const line of text.split("\n")) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "event") {
      kind = value;
    } else if (name === "data") {
      data.push(value);
    } else if (name === "id") {
      last = value;
    }
  }
  if (data.length && data[0]) {
    tell(kind, JSON.parse(data.join("\n")));
  }
}
