// Lets the farm send messages to this browser: its subscription at the push service of its vendor.
import { t } from "./texts.js";

const WORKER = "/console/pushworker.js";

/** @param {Uint8Array} bytes */
const base64Url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Registers the service worker, by the only address for which its policy vouches. */
export function registerWorker() {
  const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("push-worker", { createScriptURL: () => WORKER });
  return navigator.serviceWorker.register(policy?.createScriptURL("") ?? WORKER, { scope: "/console/" });
}

/** Whether this browser can receive messages: it needs HTTPS, or a farm on the same machine. */
export const canSubscribe = () => "serviceWorker" in navigator && "PushManager" in window;

/**
 * Asks for permission and subscribes, in place of an earlier subscription; returns the settings of its channel. The key pair proves to the
 * push service that messages are of this farm, and is made here, because the subscription is bound to it.
 * @returns {Promise<Record<string, string>>}
 */
export async function subscribe() {
  if (!canSubscribe()) {
    throw new Error(t("This browser receives messages only from a console that it opens by HTTPS."));
  }
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(t("This browser does not allow messages of this page. Allow them in its settings, then try again."));
  }
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const vapidPublicKey = new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey));
  const { d } = await crypto.subtle.exportKey("jwk", keys.privateKey);
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey });
  const { endpoint, keys: { p256dh, auth } = {} } = subscription.toJSON();
  return {
    url: String(endpoint),
    publicKey: String(p256dh),
    token: String(auth),
    vapidPublicKey: base64Url(vapidPublicKey),
    vapidKey: String(d),
  };
}
