// A row of the queue: jobs of one build, why they wait, where they are, and what can be done with them.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { get } from "./api.js";
import { ids, viewOf } from "./farm.js";
import { duration, moment } from "./format.js";
import { waits } from "./groups.js";
import { Icon } from "./icons.js";
import { Act, actions, chosen } from "./jobactions.js";
import { jobStatus, requirement, slotName } from "./names.js";
import { held, letGo, moveByKeys, moveByPointer } from "./ordering.js";
import { withoutIds } from "./components.js";
import { picture } from "./pictures.js";
import { Promised, WaitsFor } from "./promises.js";
import { FOR_NOW, LACKS } from "./takers.js";
import { many, t } from "./texts.js";

/**
 * By the first check that it fails, preferably one that waiting does not mend: how many printers it keeps from the job.
 * @param {{ list: Job[] }} props
 */
function Why({ list }) {
  const [job] = list;
  const [found, setFound] = useState(null);
  useEffect(() => {
    get(`/v1/print-jobs/${job.id}/matching-troubleshoot`).then(setFound, (problem) => setFound({ problem: problem.message }));
  }, [job.id, job.updatedAt]);
  if (!found) {
    return html`<p class="why">${t("Asking the scheduler …")}</p>`;
  }
  if (found.problem) {
    return html`<p class="why problem">${found.problem}</p>`;
  }
  const reasons = new Map();
  const nearness = new Map();
  for (const [id, checks] of Object.entries(found.printers)) {
    const failed =
      checks.find((/** @type {any} */ check) => !check.passed && !FOR_NOW.has(check.code)) ??
      checks.find((/** @type {any} */ check) => !check.passed);
    const name = ids.value.includes(id) ? viewOf(id).peek().printer.name : id;
    const label = failed
      ? (LACKS[failed.code] ?? t("Fails: {label}", { label: failed.label }))
      : t("Could take it, and will when its turn comes");
    nearness.set(label, !failed ? 2 * checks.length : checks.indexOf(failed) + (FOR_NOW.has(failed.code) ? checks.length : 0));
    reasons.has(label) || reasons.set(label, { code: failed?.code, printers: [] });
    reasons.get(label).printers.push({ name, explanation: failed?.explanation ?? "" });
  }
  const sorted = [...reasons].sort((a, b) => nearness.get(b[0]) - nearness.get(a[0]));
  return html`<div class="why">${
    sorted.length
      ? html`<ul>${sorted.map(
          ([
            label,
            { code, printers },
          ]) => html`<li key=${label}><b>${label}</b> <span class="count">${many(printers.length, "{count} printer", "{count} printers")}</span>
      ${code && actions(list, code).map((name) => html`<${Act} key=${name} name=${name} list=${list} words />`)}
      <details><summary>${t("Which")}</summary><ul>${printers.map((/** @type {any} */ each) => html`<li key=${each.name}><b>${each.name}</b> ${each.explanation}</li>`)}</ul></details></li>`,
        )}</ul>`
      : t("There is no printer in the farm.")
  }</div>`;
}

/**
 * What somebody should see of a job before it goes to its printer, or where it stands.
 * @param {{ list: any[], first: any }} props
 */
function Details({ list, first }) {
  const [job, setJob] = useState(null);
  useEffect(() => {
    get(`/v1/print-jobs/${first.id}?include=partBuild`).then(setJob, (problem) => setJob({ problem: problem.message }));
  }, [first.id, first.updatedAt]);
  const file = job?.slicedGcodeUri && picture(job.slicedGcodeUri).value;
  const large = first.thumbnailUri && picture(first.thumbnailUri).value;
  if (!job || job.problem) {
    return html`<p class="why">${job?.problem ?? t("Loading …")}</p>`;
  }
  const printer = ids.value.includes(job.assignedPrinterId) ? viewOf(job.assignedPrinterId).value : null;
  const loaded = (/** @type {any} */ slot) =>
    printer?.state?.filamentSlots.find((/** @type {any} */ each) => each.amsIndex === slot.amsIndex && each.slotIndex === slot.slotIndex)
      ?.materialType;
  const filaments = Object.entries(job.materialMapping ?? {}).map(([index, slot]) =>
    t("{filament} from {slot}", {
      filament: Number(index) + 1,
      slot: `${slotName(slot.amsIndex, slot.slotIndex)}${loaded(slot) ? ` (${loaded(slot)})` : ""}`,
    }),
  );
  const facts = [
    [t("Printer"), printer && html`<a href=${`/console/printers/${job.assignedPrinterId}`}>${printer.printer.name}</a>`],
    [
      t("Copies"),
      list.length > 1
        ? t("{count}, one after the other", { count: list.length })
        : first.quantityTotal > 1 &&
          t("{quantityIndex} of {quantityTotal}", { quantityIndex: first.quantityIndex, quantityTotal: first.quantityTotal }),
    ],
    [t("Plate"), job.extensions?.["3mf"]?.plateId],
    [t("Filament"), filaments.join(", ")],
    [
      t("Duration"),
      [
        job.estimatedSeconds && duration(job.estimatedSeconds),
        job.estimatedGrams && `${Math.round(job.estimatedGrams)} g`,
        job.layerCount && many(job.layerCount, "{count} layer", "{count} layers"),
      ]
        .filter(Boolean)
        .join(", "),
    ],
    [
      t("First layer"),
      [
        job.firstLayerNozzleTemperature && t("nozzle {temperature} °C", { temperature: Math.round(job.firstLayerNozzleTemperature) }),
        job.firstLayerBedTemperature && t("bed {temperature} °C", { temperature: Math.round(job.firstLayerBedTemperature) }),
      ]
        .filter(Boolean)
        .join(", "),
    ],
    [t("Parameters"), job.parameterOverrides.map((/** @type {any} */ { name, value }) => `${name} = ${value}`).join(", ")],
    [
      t("Requirements"),
      Object.entries(job.requiredPrinterTags ?? {})
        .filter(([, value]) => value)
        .map(([name, value]) =>
          requirement(name, name === "printer.id" && ids.value.includes(value) ? viewOf(value).peek().printer.name : value),
        )
        .join(", "),
    ],
    [t("Reason for the reprint"), job.policyReason && withoutIds(job.policyReason)],
    [t("Attempt"), job.attempt > 0 && job.attempt + 1],
    [t("Queued"), moment(job.createdAt)],
  ];
  return html`<div class="why details">${large && html`<img class="large" src=${large} alt=${t("What {partName} looks like", { partName: first.partName })} />`}
    <dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
      ${file && html`<div><dt>${t("File")}</dt><dd><a href=${file} download>${t("G-code")}</a></dd></div>`}</dl></div>`;
}

/**
 * Why the jobs of a row failed or came back, each reason once.
 * @param {{ list: any[] }} props
 */
function Reasons({ list }) {
  const counts = new Map();
  list.forEach((/** @type {any} */ { errorMessage }) => errorMessage && counts.set(errorMessage, (counts.get(errorMessage) ?? 0) + 1));
  return [...counts]
    .slice(0, 3)
    .map(
      ([reason, count]) =>
        html`<p class="problem" key=${reason}>${reason}${list.length > 1 ? ` (${many(count, "{count} job", "{count} jobs")})` : ""}</p>`,
    );
}

/**
 * Where a job is: its state, its printer, and how far it is there.
 * @param {{ job: Job }} props
 */
function Place({ job }) {
  const view = job.assignedPrinterId && ids.value.includes(job.assignedPrinterId) ? viewOf(job.assignedPrinterId).value : null;
  const percent = view?.state?.job?.jobId === job.id ? Math.floor(view.state.job.percent) : null;
  return html`${jobStatus(job.status)}${view && html`<span> ${t("on {name}", { name: view.printer.name })}${percent !== null && ` · ${percent} %`}</span>`}`;
}

/**
 * The jobs of a row that has several, one by one.
 * @param {{ list: any[], promises: any }} props
 */
const Members = ({ list, promises }) =>
  html`<ul class="members">${list.map(
    (
      /** @type {Job} */ job,
      /** @type {number} */ i,
    ) => html`<li key=${job.id} data-status=${job.status}><span>${job.quantityTotal > 1 ? t("{quantityIndex} of {quantityTotal}", { quantityIndex: job.quantityIndex, quantityTotal: job.quantityTotal }) : t("Job {number}", { number: i + 1 })}</span>
  <p class="status"><${Place} job=${job} /> <${Promised} list=${[promises.get(job.id)]} /></p><span class="acts">${actions([job])
    .filter((name) => name !== "later" && name !== "sooner")
    .map((name) => html`<${Act} key=${name} name=${name} list=${[job]} />`)}</span></li>`,
  )}</ul>`;

/** @param {{ row: any, section: any, mark: any, promises: any }} props */
export function Row({ row, section, mark, promises }) {
  const { key, list, first } = row;
  const [shown, show] = useState(first.status === "Waiting-for-approval" ? "details" : "");
  const address = first.thumbnailUri && picture(first.thumbnailUri).value;
  const states = [...new Set(list.map((/** @type {Job} */ job) => job.status))];
  const toggle = (/** @type {any} */ what) => () => show(shown === what ? "" : what);
  return html`<li class="row job" data-key=${key} data-status=${first.status} data-held=${held.value?.key === key ? "yes" : undefined} data-drop=${mark}
      onKeyDown=${section && ((event) => moveByKeys(event, section(), key))}>
    ${
      section &&
      html`<button class="handle quiet" aria-label=${t("Move {partName}", { partName: first.partName })} aria-describedby="moving" aria-pressed=${held.value?.key === key} title=${t("Drag, or Alt and arrow keys")}
      onPointerDown=${(event) => moveByPointer(event, section, key)} onBlur=${() => held.value?.key === key && setTimeout(() => document.activeElement?.closest(".handle") || letGo())}><${Icon} name="grip" /></button>`
    }
    <input type="checkbox" aria-label=${t("Select {partName}", { partName: first.partName })} checked=${list.every((/** @type {Job} */ job) => chosen.value.has(job.id))} onChange=${(event) => choose(list, event.target.checked)} />
    <span class="picture">${address ? html`<img src=${address} alt="" loading="lazy" />` : html`<${Icon} name="box" />`}</span>
    <div class="what"><h3 title=${first.partName}>${first.partName}</h3>
      <p>${[first.skuName, first.label !== first.partName && first.label, list.length > 1 ? many(list.length, "{count} job", "{count} jobs") : first.quantityTotal > 1 && t("{quantityIndex} of {quantityTotal}", { quantityIndex: first.quantityIndex, quantityTotal: first.quantityTotal }), first.estimatedSeconds && t("{duration} each", { duration: duration(first.estimatedSeconds) }), first.estimatedGrams && `${Math.round(first.estimatedGrams)} g`].filter(Boolean).join(" · ")}</p>
      <${Reasons} list=${list} />
    </div>
    <p class="status">${list.length === 1 ? html`<${Place} job=${first} />` : states.map((status) => `${list.filter((/** @type {Job} */ job) => job.status === status).length} ${jobStatus(status).toLowerCase()}`).join(", ")} <${Promised} list=${list.map((/** @type {any} */ { id }) => promises.get(id))} /></p>
    <div class="acts">
      ${waits(first) && html`<button class="quiet" aria-expanded=${shown === "why"} aria-label=${t("Why {partName} waits", { partName: first.partName })} onClick=${toggle("why")}><${Icon} name="why" />${t("Why")}</button>`}
      ${list.length > 1 && html`<button class="quiet" aria-expanded=${shown === "members"} aria-label=${t("Jobs of {partName}", { partName: first.partName })} title=${t("Jobs")} onClick=${toggle("members")}><${Icon} name="queue" />${list.length}</button>`}
      <button class="quiet" aria-expanded=${shown === "details"} aria-label=${t("Details of {partName}", { partName: first.partName })} title=${t("Details")} onClick=${toggle("details")}><${Icon} name="info" /></button>
      ${actions(list).map((name) => html`<${Act} key=${name} name=${name} list=${list} />`)}
    </div>
    ${shown === "why" && html`<${WaitsFor} path=${`/v1/print-jobs/${first.id}/promise`} /><${Why} list=${list} />`}
    ${shown === "members" && html`<${Members} list=${list} promises=${promises} />`}
    ${shown === "details" && html`<${Details} list=${list} first=${first} />`}
  </li>`;
}

/**
 * @param {any[]} list
 * @param {boolean} on
 */
export function choose(list, on) {
  const next = new Set(chosen.value);
  list.forEach((/** @type {Job} */ job) => (on ? next.add(job.id) : next.delete(job.id)));
  chosen.value = next;
}
