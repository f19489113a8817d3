// A button whose deed cannot be taken back: it is pressed twice.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { Icon } from "./icons.js";

const ARMED = 4000;

/** `again` is what it says between the presses; `icon` and `label` stand for the word where there is little room; `kind` is its style. */
export function Twice({ word, again, act, icon, label, kind = "", disabled = false }) {
  const [armed, arm] = useState(false);
  useEffect(() => {
    const timer = armed && setTimeout(() => arm(false), ARMED);
    return () => clearTimeout(timer);
  }, [armed]);
  const press = () => {
    arm(!armed);
    armed && act();
  };
  return html`<button class=${`${kind} ${armed ? "danger" : ""}`} disabled=${disabled} onClick=${press} aria-label=${label && `${armed ? again : word}: ${label}`} title=${word}>
    ${icon && html`<${Icon} name=${icon} />`}${armed ? again : (!icon || !label) && word}</button>`;
}
