// A build that somebody is about to ask for: what it would queue, asked as it is typed, and the press that queues it.
import { useEffect, useState } from "preact/hooks";
import { post, randomHex, send } from "./api.js";
import { loadJobs } from "./jobs.js";
import { go } from "./route.js";
import { say } from "./toast.js";
import { many } from "./texts.js";

const PAUSE = 200;

/** Build → key: what was queued, though the answer was lost, is not queued again by another press. */
const keys = new Map();

/** @param {string} text */
function keyOf(text) {
  keys.has(text) || keys.set(text, randomHex(16));
  return keys.get(text);
}

/**
 * Asks for an answer once the body has not changed for a while; one that comes late is not shown. `begin` is called when it changes.
 * @param {string | false} path
 * @param {object} body
 * @param {(found: any) => void} show
 * @param {{ pause?: any, begin?: any }} [given3]
 */
export function useAsked(path, body, show, { pause = PAUSE, begin = () => {} } = {}) {
  useEffect(() => {
    let gone = false;
    begin();
    const timer =
      path &&
      setTimeout(
        () =>
          post(path, body).then(
            (found) => gone || show(found),
            (refused) => gone || show({ refused }),
          ),
        pause,
      );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path, JSON.stringify(body)]);
}

/**
 * The number of jobs, why the farm refuses the build, whether it is on its way, and what queues it.
 * @param {string} name
 * @param {any} build
 */
export function useBuild(name, build) {
  const [preview, setPreview] = useState(/** @type {any} */ ({}));
  const [busy, setBusy] = useState(false);
  useAsked("/v2/builds/preview", build, setPreview);
  const jobs = preview.summary?.jobCount;
  const print = async (/** @type {any} */ event) => {
    event.preventDefault();
    setBusy(true);
    const text = JSON.stringify(build);
    try {
      await send("POST", "/v2/builds", build, { "idempotency-key": keyOf(text) });
      keys.delete(text);
      say(many(jobs, "{name}: {count} job queued", "{name}: {count} jobs queued", { name }));
      await loadJobs().catch(() => {});
      go("queue");
    } catch (/** @type {any} */ refused) {
      // There was a response: the next press sends a new request. Without one the farm may have queued it.
      if (refused.status >= 400 && refused.status < 500 && refused.code !== "idempotency_in_progress") {
        keys.delete(text);
      }
      setPreview({ ...preview, refused });
      setBusy(false);
    }
  };
  return { jobs, refused: preview.refused, busy, print };
}
