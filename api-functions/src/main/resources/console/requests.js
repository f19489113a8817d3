// What the API answers, as the views that are made of requests show it.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, post } from "./api.js";
import { fieldProblem } from "./names.js";
import { say } from "./toast.js";

const AFTER_FAILURE = 10_000;

/**
 * Why it was refused, for people.
 * @param {any} problem
 */
export const reason = (problem) => (problem.details?.length ? fieldProblem(problem.details[0]) : problem.message);

/**
 * Fetches a path, if there is one: `value` is the last response; a failure keeps it and adds the `problem`. `again` fetches it at
 * once, and `every` returns the milliseconds until the next fetch for a value; with a `body` it is a search. It is fetched again
 * when `version` changes.
 * @template {string} P
 * @template {object | undefined} [B=undefined]
 * @param {P | null | false} path
 * @param {{every?: (value: any) => number, body?: B, version?: string}} [how]
 * @returns {{value: Answer<P, B extends object ? "post" : "get">, problem: string, again: () => void}}
 */
export function useAnswer(path, { every, body, version } = {}) {
  const [answer, setAnswer] = useState({ value: /** @type {any} */ (undefined), problem: "", asked: "" });
  const [round, setRound] = useState(0);
  const asked = `${path} ${JSON.stringify(body)}`;
  useEffect(() => {
    let timer = 0;
    let gone = false;
    const show = (/** @type {any} */ found, /** @type {any} */ pause) => {
      if (!gone) {
        setAnswer(found);
        timer = pause && setTimeout(() => setRound(round + 1), pause);
      }
    };
    if (path) {
      (body ? post(path, body) : get(path)).then(
        (value) => show({ value, problem: "", asked }, every?.(value)),
        (problem) =>
          show(
            (/** @type {any} */ before) => ({ value: before.asked === asked ? before.value : undefined, problem: reason(problem), asked }),
            every && AFTER_FAILURE,
          ),
      );
    }
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [asked, version, round]);
  return { ...answer, again: () => setRound((before) => before + 1) };
}

/**
 * Does it, and says that it is done, or why not; answers whether it is. `undo` takes it back, and is offered for some seconds.
 * @param {(...given: any[]) => any} act
 * @param {string | ((answer: any) => string)} done
 * @param {() => unknown} [undo]
 */
export async function attempt(act, done, undo) {
  try {
    const answer = await act();
    say(typeof done === "function" ? done(answer) : done, false, undo);
    return true;
  } catch (/** @type {any} */ problem) {
    say(reason(problem), true);
    return false;
  }
}

/**
 * Whether it is under way, and what does it unless it is: a double click makes nothing twice.
 * @param {(...given: any[]) => any} act
 */
export function useOnce(act) {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const once = async (/** @type {any} */ given) => {
    if (!running.current) {
      setBusy((running.current = true));
      try {
        await act(given);
      } finally {
        setBusy((running.current = false));
      }
    }
  };
  return { busy, once };
}

/**
 * Sends a form by `act`; shows what the farm rejects, by field in `faults`; `busy` while the request runs.
 * @param {(...given: any[]) => any} act
 */
export function useSending(act) {
  const [faults, setFaults] = useState([]);
  const { busy, once } = useOnce(async (/** @type {any} */ event) => {
    try {
      await act(event);
      setFaults([]);
    } catch (/** @type {any} */ problem) {
      setFaults(problem.details ?? []);
      say(reason(problem), true);
    }
  });
  return { faults, busy, submit: (/** @type {any} */ event) => (event.preventDefault(), once(event)) };
}

/**
 * Where a kept file can be fetched from, for a while.
 * @param {string | null} uri
 */
export const addressOf = async (uri) => (await post("/v1/storage/signed-urls", { paths: [uri], duration: 600 })).signedUrls[0];
