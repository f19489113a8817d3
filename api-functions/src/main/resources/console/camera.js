// A printer's camera: its image in full size, refreshed every few seconds while the view is visible.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { STRICT } from "./api.js";
import { ago } from "./format.js";
import { now } from "./live.js";
import { t } from "./texts.js";

const EVERY = 10_000;
const SOON = 1000; // while the first is on its way; each wait is twice as long
const LATER = 30_000; // where there is none
const OLD = 20_000;

/**
 * The next picture, or why there is none; nothing while it is on its way.
 * @param {string} id
 */
async function fetched(id) {
  const response = await fetch(`/v1/printers/${id}/snapshot?full=true`, { credentials: "same-origin", headers: STRICT });
  if (response.status === 200) {
    return { picture: await response.blob(), at: Date.now() - 1000 * Number(response.headers.get("x-picture-age")) };
  }
  if (response.status !== 202 && response.status !== 404) {
    throw new Error(String(response.status));
  }
  return response.status === 404 ? { reason: (await response.json()).message.replace("no such picture: ", "") } : {};
}

/** @param {{ id: string, name: string }} props */
export function Camera({ id, name }) {
  const [shown, setShown] = useState(null);
  const [reason, setReason] = useState("");
  const address = useRef("");
  useEffect(() => {
    let timer = 0;
    let ended = false;
    let tries = 0;
    const look = async () => {
      const next = document.hidden ? null : await fetched(id).catch(() => null);
      if (ended) {
        return;
      }
      if (next?.picture) {
        URL.revokeObjectURL(address.current);
        address.current = URL.createObjectURL(next.picture);
        setShown({ address: address.current, at: next.at });
      }
      next && setReason(next.reason ?? "");
      timer = setTimeout(look, next?.reason ? LATER : next && !address.current ? Math.min(SOON * 2 ** tries++, LATER) : EVERY);
    };
    look();
    return () => {
      ended = true;
      clearTimeout(timer);
      URL.revokeObjectURL(address.current);
    };
  }, [id]);
  const age = shown && now.value - shown.at;
  return (
    (shown || reason !== "the printer has no camera") &&
    html`<section class="camera"><h2>${t("Camera")} ${shown && age > OLD && html`<span class="count">${t("{age} old", { age: ago(age) })}</span>`}</h2>
    ${shown ? html`<img class=${age > OLD ? "old" : ""} src=${shown.address} alt=${t("What the camera of {name} sees", { name })} />` : html`<p class="count">${reason || t("Waiting for its picture …")}</p>`}
    ${shown && reason && html`<p class="count">${reason}</p>`}</section>`
  );
}
