// A build that somebody is about to ask for: what it would queue, asked as it is typed, and the press that queues it.
import { useEffect, useState } from "preact/hooks";
import { post, randomHex, send } from "./api.js";
import { loadJobs } from "./jobs.js";
import { go } from "./route.js";
import { say } from "./toast.js";
import { many } from "./words.js";

const PAUSE = 200;

/** Wish → key: what was queued, though the answer was lost, is not queued again by another press. */
const keys = new Map();

function keyOf(text) {
  keys.has(text) || keys.set(text, randomHex(16));
  return keys.get(text);
}

/** Asks for an answer once the body rests; one that comes late is not shown. */
export function useAsked(path, body, show) {
  useEffect(() => {
    let gone = false;
    const timer = path && setTimeout(() => post(path, body).then((found) => gone || show(found), (refused) => gone || show({ refused })), PAUSE);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path, JSON.stringify(body)]);
}

/** The number of jobs, why the farm refuses the build, whether it is on its way, and what queues it. */
export function useBuild(name, wish) {
  const [preview, setPreview] = useState(/** @type {any} */ ({}));
  const [busy, setBusy] = useState(false);
  useAsked("/v2/builds/preview", wish, setPreview);
  const jobs = preview.summary?.jobCount;
  const print = async (event) => {
    event.preventDefault();
    setBusy(true);
    const text = JSON.stringify(wish);
    try {
      await send("POST", "/v2/builds", wish, { "idempotency-key": keyOf(text) });
      keys.delete(text);
      say(`${name}: ${many(jobs, "job")} queued`);
      await loadJobs().catch(() => {});
      go("queue");
    } catch (refused) {
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
