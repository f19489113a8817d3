// What is done about prints that fail, as a part of a form.
import { html } from "./html.js";
import { Check, NumberField } from "./components.js";
import { t } from "./texts.js";

const NOTHING = { retriesElsewhere: 0, quarantine: null, holdPartAfterPrinters: null, pauseQueue: null };
const KINDS = {
  quarantine: {
    label: t("Quarantine a printer that fails often"),
    hint: t("it takes no jobs until somebody releases it"),
    start: { failures: 3, ofLastJobs: 5 },
    fields: { failures: t("Failures"), ofLastJobs: t("Among its last jobs") },
  },
  pauseQueue: {
    label: t("Pause the queue when much fails"),
    hint: t("until somebody resumes it"),
    start: { failurePercent: 50, ofPrints: 5 },
    fields: { failurePercent: t("Failures in the last hour, more than %"), ofPrints: t("Minimum number of prints") },
  },
};

/** @param {{ policy: any, onChange: (...given: any[]) => any, faults: FieldFault[], disabled: boolean }} props */
export function Policy({ policy, onChange, faults, disabled }) {
  const now = policy ?? NOTHING;
  const set = (/** @type {any} */ change) => onChange({ ...now, ...change });
  const number = (
    /** @type {any} */ of,
    /** @type {string} */ path,
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {any} */ change,
    /** @type {any} */ more,
  ) =>
    html`<${NumberField} key=${name} label=${label} path=${`failurePolicy.${path}${name}`} faults=${faults} value=${of[name]} step="1" onChange=${(value) => change({ [name]: value })} ...${more} />`;
  return html`<fieldset disabled=${disabled}><legend>${t("When a print fails")}</legend><div class="three">
      ${number(now, "", "retriesElsewhere", t("Retries on other printers"), set, { hint: t("per job, at most") })}
      ${number(now, "", "holdPartAfterPrinters", t("Hold a part after it fails on N printers"), set, { hint: t("if empty, never"), min: 1 })}</div>
    ${Object.entries(KINDS).map(
      ([
        kind,
        { label, hint, start, fields },
      ]) => html`<${Check} label=${label} hint=${hint} checked=${Boolean(now[kind])} onChange=${(on) => set({ [kind]: on ? start : null })} />
      ${now[kind] && html`<div class="within three">${Object.entries(fields).map(([name, text]) => number(now[kind], `${kind}.`, name, text, (/** @type {any} */ change) => set({ [kind]: { ...now[kind], ...change } }), { min: 1 }))}</div>`}`,
    )}
  </fieldset>`;
}
