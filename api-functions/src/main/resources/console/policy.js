// What is done about prints that fail, as a part of a form.
import { html } from "./html.js";
import { Check, NumberField } from "./components.js";

const NOTHING = { retriesElsewhere: 0, quarantine: null, holdPartAfterPrinters: null, pauseQueue: null };
const KINDS = {
  quarantine: { label: "Quarantine a printer that fails often", hint: "it takes no jobs until somebody releases it", start: { failures: 3, ofLastJobs: 5 }, fields: { failures: "Failures", ofLastJobs: "Among its last jobs" } },
  pauseQueue: { label: "Pause the queue when much fails", hint: "until somebody resumes it", start: { failurePercent: 50, ofPrints: 5 }, fields: { failurePercent: "More than, % of the last hour", ofPrints: "Of at least so many prints" } },
};

export function Policy({ policy, onChange, faults, disabled }) {
  const now = policy ?? NOTHING;
  const set = (change) => onChange({ ...now, ...change });
  const number = (of, path, name, label, change, more) => html`<${NumberField} key=${name} label=${label} path=${`failurePolicy.${path}${name}`} faults=${faults} value=${of[name]} step="1" onChange=${(value) => change({ [name]: value })} ...${more} />`;
  return html`<fieldset disabled=${disabled}><legend>When a print fails</legend><div class="three">
      ${number(now, "", "retriesElsewhere", "Retries on other printers", set, { hint: "per job, at most" })}
      ${number(now, "", "holdPartAfterPrinters", "Hold a part after it fails on N printers", set, { hint: "never, if empty", min: 1 })}</div>
    ${Object.entries(KINDS).map(([kind, { label, hint, start, fields }]) => html`<${Check} label=${label} hint=${hint} checked=${Boolean(now[kind])} onChange=${(on) => set({ [kind]: on ? start : null })} />
      ${now[kind] && html`<div class="within three">${Object.entries(fields).map(([name, text]) => number(now[kind], `${kind}.`, name, text, (change) => set({ [kind]: { ...now[kind], ...change } }), { min: 1 }))}</div>`}`)}
  </fieldset>`;
}
