// The public interface, by the session's cookie.
import { signal } from "@preact/signals";
import { formatFor } from "./format.js";
import { t } from "./texts.js";

/** @type {import("@preact/signals").Signal<{store: {id: string, name: string, timezone: string, currency: string}, permissions: Set<string>, version: string, name: string, address: string | null} | null | undefined>} who is signed in; null: nobody; undefined: not known yet */
export const session = signal(undefined);

/** The session of a view, which is drawn only for somebody who is signed in. */
export const own = () => /** @type {NonNullable<typeof session.value>} */ (session.value);

/** Whether the session of who is signed in has ended: what is typed stays until they sign in again. */
export const expired = signal(false);

/** A request that was refused, with what the API says of it. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {any} body
   */
  constructor(status, body) {
    super(body?.message ?? (status ? t("the farm answered {status}", { status }) : t("the farm cannot be reached")));
    this.status = status;
    this.code = body?.error ?? "";
    this.details = body?.details ?? [];
  }
}

/** Raised when somebody has signed out: what was asked for before is for nobody. */
export let generation = 0;
export const endGeneration = () => ++generation;

/** The farm rejects a parameter or a field that it does not know, rather than ignore it. */
export const STRICT = { prefer: "handling=strict" };

/** Lists contain what the event stream has just told of; a read replica might not have it yet. */
const LATEST = { "cache-control": "no-cache" };

/**
 * Answers the body of a request; a refusal is thrown as a {@link Problem}. A file is sent as CSV.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 */
export async function send(method, path, body, headers = {}) {
  const asked = generation;
  if (expired.peek() && !path.startsWith("/v1/sessions") && path !== "/v1/web-init") {
    throw new Problem(401, { message: t("Your session has ended") });
  }
  const isFile = body instanceof Blob;
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    headers: {
      ...STRICT,
      ...LATEST,
      ...(body !== undefined && { "content-type": isFile ? "text/csv" : "application/json" }),
      ...headers,
    },
    body: body === undefined || isFile ? body : JSON.stringify(body),
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (asked !== generation) {
    throw new Problem(0, { message: "" }); // not shown
  }
  if (!response?.ok) {
    if (response?.status === 401 && session.value) {
      expired.value = true;
    }
    throw new Problem(response?.status ?? 0, answer);
  }
  return answer;
}

/**
 * @template {string} P
 * @param {P} path
 * @returns {Promise<Answer<P>>}
 */
export const get = (path) => send("GET", path);

/**
 * @template {string} P
 * @param {P} path
 * @param {object} [body]
 * @returns {Promise<Answer<P, "post">>}
 */
export const post = (path, body = {}) => send("POST", path, body);

/**
 * @template {string} P
 * @param {P} path
 * @param {object} body
 * @returns {Promise<Answer<P, "patch">>}
 */
export const patch = (path, body) => send("PATCH", path, body);

/**
 * All records of a list, page by page.
 * @template {string} P
 * @param {P} path
 * @returns {Promise<Answer<P>>}
 */
export async function all(path) {
  /** @type {any} */
  const records = [];
  for (;;) {
    /** @type {any} */
    const page = await get(`${path}${path.includes("?") ? "&" : "?"}limit=1000&offset=${records.length}`);
    records.push(...page);
    if (page.length < 1000) {
      return records;
    }
  }
}

/** Finds out who is signed in. */
export async function open() {
  try {
    const [start, own] = await Promise.all([get("/v1/web-init"), get("/v1/sessions/current")]);
    formatFor(start.store);
    const before = session.peek();
    const permissions = [...start.permissions].sort().join();
    if (
      before &&
      (before.store.id !== start.store.id || before.name !== own.name || [...before.permissions].sort().join() !== permissions)
    ) {
      location.reload(); // another person, who sees nothing of the first
      return;
    }
    expired.value = false;
    session.value = before ?? {
      store: start.store,
      permissions: new Set(start.permissions),
      version: start.version,
      name: own.name,
      address: start.address,
    };
  } catch (/** @type {any} */ problem) {
    if (problem.status === 401) {
      session.value = null;
    } else {
      throw problem;
    }
  }
}

/**
 * Exchanges a code or a key, which is forgotten here, for a session.
 * @param {string} name
 * @param {{ code?: string, key?: string }} secret
 */
export async function signIn(name, { code, key }) {
  await send("POST", "/v1/sessions", code ? { name, code } : { name }, key ? { authorization: `ApiKey ${key}` } : {});
  await open();
}

/** The tabs of this browser, which share the session: who signs out in one of them leaves nothing in the others. */
const tabs = new BroadcastChannel("gantry-session");
const forgetSession = () => {
  expired.value = false;
  session.value = null;
};
tabs.onmessage = forgetSession;

export async function signOut() {
  await send("DELETE", "/v1/sessions/current");
  forgetSession();
  tabs.postMessage("signed-out");
}

/**
 * So many random bytes in hexadecimal; randomUUID is missing where a page comes by plain HTTP.
 * @param {number} bytes
 */
export const randomHex = (bytes) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((each) => each.toString(16).padStart(2, "0")).join("");

/** @param {string} permission */
export const may = (permission) => session.value?.permissions.has(permission) ?? false;

/** The address of the farm for other devices: this page's, where the farm knows none. */
export const farmAddress = () => session.value?.address ?? location.origin;

/** Whether other devices can reach the farm. */
export const isReachable = () => Boolean(session.value?.address);
