// "Print × n": what a part is printed with, what that would queue, and which printers could take it, all asked as it is typed.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { useFarmShown } from "./changes.js";
import { may } from "./api.js";
import { reason } from "./requests.js";
import { useAsked, useBuild } from "./build.js";
import { ids, showFarm, viewOf } from "./farm.js";
import { duration, time } from "./format.js";
import { FilamentChooser, useFilaments } from "./filamentchooser.js";
import { sent } from "./parts.js";
import { Thumbnail } from "./components.js";
import { HoursFrom, Waits } from "./promises.js";
import { FOR_NOW, inStartOrder, LACKS } from "./takers.js";
import { firstOf, many, rich, t } from "./texts.js";

const NAMED = 6;
const PLAN_PAUSE = 500; // a plan takes the farm up to seconds

/**
 * What is wrong with a field, under it.
 * @param {{ text: string }} props
 */
const Fault = ({ text }) => text && html`<small class="problem" role="alert">${text}</small>`;

/** @param {{ parameter: any, value: any, onInput: (...given: any[]) => any, fault: any }} props */
function Field({ parameter, value, onInput, fault }) {
  const [sending, setSending] = useState("");
  const label = parameter.label ?? parameter.name;
  const shown = value ?? parameter.value ?? parameter.default ?? "";
  const note = html`${parameter.description && html`<small>${parameter.description}</small>`}<${Fault} text=${fault} />`;
  if (parameter.type === "file") {
    const take = async (/** @type {any} */ event) => {
      const [file] = event.target.files;
      try {
        onInput(
          await sent(file, (/** @type {any} */ share) =>
            setSending(t("{share} % of {name}", { share: Math.round(share * 100), name: file.name })),
          ),
        );
        setSending(file.name);
      } catch (/** @type {any} */ problem) {
        setSending(problem.details?.[0]?.message ?? problem.message);
      }
    };
    return html`<label>${label}<input type="file" accept=${parameter.acceptedContentTypes?.join(",")} onChange=${take} /><small role="status">${sending || (shown ? t("The part's own file, unless another is chosen") : "")}</small>${note}</label>`;
  }
  if (parameter.options?.length) {
    return html`<label>${label}<select value=${shown} onChange=${(event) => onInput(parameter.options.find((/** @type {any} */ option) => String(option.value) === event.target.value)?.value)}>
      ${parameter.options.map((/** @type {any} */ option) => html`<option key=${option.value} value=${option.value}>${option.label ?? option.value}</option>`)}</select>${note}</label>`;
  }
  if (parameter.type === "boolean") {
    return html`<label class="line"><input type="checkbox" checked=${Boolean(shown)} onChange=${(event) => onInput(event.target.checked)} />${label} ${note}</label>`;
  }
  return html`<label>${label}<input type=${parameter.type === "number" ? "number" : "text"} value=${shown} min=${parameter.min} max=${parameter.max} step=${parameter.step ?? "any"} aria-invalid=${Boolean(fault)}
    onInput=${(event) => onInput(parameter.type === "number" ? event.target.valueAsNumber : event.target.value)} />${note}</label>`;
}

/**
 * Only some printers, by a tag, a model or their name; the value is a key of the build's tags and what it must be.
 * @param {{ value: any, onInput: (...given: any[]) => any, fault?: any }} props
 */
export function Where({ value, onInput, fault }) {
  const printers = ids.value.map((/** @type {string} */ id) => viewOf(id).peek().printer);
  const unique = (/** @type {any[]} */ list) => [...new Set(list)].filter(Boolean).sort();
  const group = (/** @type {string} */ name, /** @type {string} */ label, /** @type {any[]} */ values) =>
    values.length > 0 &&
    html`<optgroup label=${label}>${values.map((/** @type {any} */ [each, text]) => html`<option key=${each} value=${`${name} =${each}`}>${text}</option>`)}</optgroup>`;
  return html`<label>${t("Printer")}<select value=${value} onChange=${(event) => onInput(event.target.value)}><option value="">${t("Any that can print it")}</option>
    ${group(
      "user.tags",
      t("With the tag"),
      unique(printers.flatMap((/** @type {any} */ each) => each.tags)).map((tag) => [tag, tag]),
    )}
    ${group(
      "printer.modelName",
      t("Of the model"),
      unique(printers.map((/** @type {any} */ each) => each.modelName)).map((model) => [model, model]),
    )}
    ${group(
      "printer.id",
      t("One printer"),
      printers.map((/** @type {any} */ each) => [each.id, each.name]),
    )}</select><${Fault} text=${fault} /></label>`;
}

/**
 * When a printer could begin, in words.
 * @param {{ codes: any, left: any }} given
 */
function when({ codes, left }) {
  const [code] = codes.filter((/** @type {any} */ each) => each !== "ready").concat(codes);
  return code === "available"
    ? left
      ? t("in about {duration}", { duration: duration(left) })
      : t("after its current print")
    : code === "ready"
      ? t("once its bed is cleared")
      : (LACKS[code] ?? code).toLowerCase();
}

/**
 * Which printers could take it, in the order in which they could start, and what keeps the others from it.
 * @param {{ plates: any }} props
 */
function Takers({ plates }) {
  const able = [];
  const never = new Map();
  for (const id of ids.value) {
    const { printer, state } = viewOf(id).peek();
    const checks = plates.map((/** @type {any} */ plate) => plate.printers[id]).filter(Boolean);
    const fitting = checks.filter((/** @type {any} */ failed) => failed.every((/** @type {any} */ check) => FOR_NOW.has(check.code)));
    if (fitting.length) {
      const some =
        fitting.length < checks.length
          ? ` (${many(checks.length, "{fitting} of {count} plate", "{fitting} of {count} plates", { fitting: fitting.length })})`
          : "";
      able.push({
        name: printer.name + some,
        codes: (fitting.find((/** @type {any} */ failed) => !failed.length) ?? fitting[0]).map((/** @type {any} */ check) => check.code),
        left: state?.job?.remainingSeconds,
      });
    } else if (checks.length) {
      const check = checks[0].find((/** @type {any} */ failed) => !FOR_NOW.has(failed.code));
      const label = LACKS[check.code] ?? check.label;
      never.has(label) || never.set(label, []);
      never.get(label).push({ name: printer.name, explanation: check.explanation });
    }
  }
  const sorted = inStartOrder(able);
  const now = sorted.filter((/** @type {any} */ { codes }) => !codes.length).map((/** @type {any} */ { name }) => name);
  const later = sorted
    .filter((/** @type {any} */ { codes }) => codes.length)
    .map((/** @type {any} */ each) => `${each.name} ${when(each)}`);
  return html`<div class="takers">
    ${!able.length && html`<p class="problem" role="alert">${t("No printer can take it as it is; it would wait in the queue.")}</p>`}
    ${now.length > 0 && html`<p><b>${t("Free now:")}</b> ${firstOf(now, NAMED)}</p>`}
    ${later.length > 0 && html`<p><b>${t("Next:")}</b> ${firstOf(later, NAMED)}</p>`}
    ${
      never.size > 0 &&
      html`<details open=${!able.length}><summary>${many([...never.values()].flat().length, "{count} printer cannot", "{count} printers cannot")}</summary><ul>${[
        ...never,
      ].map(
        ([label, list]) => html`<li key=${label}><b>${label}:</b> ${firstOf(
          list.map((/** @type {any} */ each) => each.name),
          NAMED,
        )}
      ${list[0].explanation && html`<span class="count"> ${list[0].explanation}</span>`}</li>`,
      )}</ul></details>`
    }
  </div>`;
}

/**
 * When all of it would be done, as the plan of the whole queue has it.
 * @param {{ plan: any }} props
 */
function Done({ plan }) {
  if (!plan) {
    return html`<p class="planned" role="status">${t("Planning …")}</p>`;
  }
  if (plan.refused) {
    return html`<p class="planned" role="status">${t("Not planned: {reason}", { reason: reason(plan.refused) })}</p>`;
  }
  const [build] = plan.builds;
  const late = plan.orders.filter((/** @type {any} */ order) => order.becomesLate).length;
  return html`<p class="planned" role="status">${build?.promisedBy ? rich("Likely done {time}, at the latest {latest} (90 %), with the queue as it is now.", { time: html`<b>${time(build.promisedAt)}</b>`, latest: html`<b>${time(build.promisedBy)}</b>` }) : t("No finish time yet:")}
      ${late > 0 && html` <b class="problem">${many(late, "{count} order would become late.", "{count} orders would become late.")}</b>`}</p>
    ${build && !build.promisedBy && html`<${Waits} waits=${build.waits} />`}
    <${HoursFrom} from=${plan.workingHoursFrom} />`;
}

/**
 * How many of a plate are in each copy.
 * @param {{ part: Part, plates: any, counts: any, setCounts: any, fault: any }} props
 */
function Plates({ part, plates, counts, setCounts, fault }) {
  const estimates = new Map((part.slicingEstimate?.plates ?? []).map((/** @type {any} */ each) => [each.plateId, each]));
  return html`<fieldset class="plates"><legend>${t("Plates in each copy")}</legend>${plates.map(
    (/** @type {any} */ { id, name, thumbnailRenderedUri, thumbnailUploadedUri }) => html`<label key=${id}>
    <${Thumbnail} uri=${thumbnailRenderedUri ?? thumbnailUploadedUri} /><span>${name || t("Plate {id}", { id })}${estimates.has(id) && html` <small>${duration(estimates.get(id).estimatedPrintTimeSeconds)}</small>`}</span>
    <input type="number" min="0" max="1000" value=${counts[id] ?? 1} onInput=${(event) => setCounts({ ...counts, [id]: event.target.valueAsNumber || 0 })} /></label>`,
  )}<${Fault} text=${fault} /></fieldset>`;
}

/**
 * @param {Part} part
 * @param {any} counts
 * @param {number} quantity
 */
function secondsOf(part, counts, quantity) {
  const plates = part.slicingEstimate?.plates ?? [];
  const known = part.metadata?.plates?.length > 1 && plates.length > 0;
  return (
    quantity *
    (known
      ? plates.reduce(
          (/** @type {number} */ sum, /** @type {any} */ each) => sum + each.estimatedPrintTimeSeconds * (counts[each.plateId] ?? 1),
          0,
        )
      : (part.slicingEstimate?.estimatedPrintTimeSeconds ?? 0))
  );
}

/**
 * The form for one part, with what it would queue and when that would be done, which the farm is asked as it is typed.
 * @param {{ part: Part }} props
 */
export function PrintForm({ part }) {
  useFarmShown(showFarm);
  const [quantity, setQuantity] = useState(1);
  const [label, setLabel] = useState("");
  const [turn, setTurn] = useState("");
  const [where, setWhere] = useState("");
  const [counts, setCounts] = useState(/** @type {Record<string, any>} */ ({}));
  const [parameters, setParameters] = useState(/** @type {Record<string, any>} */ ({}));
  const [filaments, setFilaments] = useState(/** @type {Record<string, any>} */ ({}));
  const [plates, setPlates] = useState([]);
  const [plan, setPlan] = useState(null);
  const choices = useFilaments();
  // Of a sliced project only plates that were sliced can be printed, of another those that hold something.
  const known = (part.metadata?.plates ?? []).filter((/** @type {any} */ plate) =>
    part.type === "gcode3mf" ? plate.gcodeFile : !plate.empty,
  );
  const takes = part.materials?.length
    ? part.materials.filter((/** @type {any} */ each) => !each.skip)
    : /gcode/.test(part.type)
      ? []
      : [{ index: 0 }];
  const chosen = Object.entries(filaments).filter(([, value]) => value);
  const [tag, ...rule] = where.split(" ");
  const build = {
    parts: [
      {
        partId: part.id,
        quantity,
        ...(label.trim() && { label: label.trim() }),
        ...(turn === "front" && { position: "front" }),
        ...(turn === "low" && { priority: 1000 }),
        ...(where && { tags: { [tag]: rule.join(" ") } }),
        ...(Object.keys(parameters).length && { parameters }),
        ...(Object.keys(counts).length && {
          plateQuantities: Object.fromEntries(
            known.map((/** @type {any} */ { id }) => [id, counts[id] ?? 1]).filter((/** @type {any} */ [, count]) => count > 0),
          ),
        }),
        ...(chosen.length && {
          materials: Object.fromEntries(
            chosen.map(([index, value]) => [index, [{ [value.split(" ")[0]]: value.split(" ").slice(1).join(" ") }]]),
          ),
        }),
      },
    ],
  };
  const { jobs, refused, busy, print } = useBuild(part.name, build);
  useAsked(may("queue.view") && "/v2/builds/matching", { parts: [{ ...build.parts[0], quantity: 1 }] }, (/** @type {any} */ found) =>
    setPlates(found.plates ?? []),
  );
  useAsked(may("queue.view") && jobs > 0 && !refused && "/v1/plan/what-if", { builds: build }, setPlan, {
    pause: PLAN_PAUSE,
    begin: () => setPlan(null),
  });
  const faults = (refused?.details ?? []).map((/** @type {any} */ { path, message }) => ({
    path: path.replace(/^parts\[0\]\.?/, ""),
    message: message.replace(path, "").trim(),
  }));
  const shown = new Set();
  const fault = (/** @type {string} */ name) =>
    faults
      .filter((/** @type {any} */ { path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
      .map((/** @type {any} */ each) => {
        shown.add(each);
        return each.message;
      })[0];
  const seconds = secondsOf(part, counts, quantity);
  const groups = Map.groupBy(part.parameters ?? [], (parameter) => parameter.group ?? "");
  const fields = (/** @type {any[]} */ list) =>
    list.map(
      (
        /** @type {any} */ parameter,
      ) => html`<${Field} key=${parameter.name} parameter=${parameter} value=${parameters[parameter.name]} fault=${fault(`parameters.${parameter.name}`)}
    onInput=${(value) => setParameters({ ...parameters, [parameter.name]: value })} />`,
    );
  const form = html`
    <label class="copies">${t("Copies")}<input name="copies" type="number" min="1" max="25000" required value=${quantity} onInput=${(event) => setQuantity(event.target.valueAsNumber || 1)} /><${Fault} text=${fault("quantity")} /></label>
    <label>${t("Label")}<input value=${label} maxlength="200" placeholder=${t("none")} onInput=${(event) => setLabel(event.target.value)} /><${Fault} text=${fault("label")} /></label>
    <label>${t("Priority")}<select value=${turn} onChange=${(event) => setTurn(event.target.value)}><option value="">${t("Normal")}</option>${may("queue.override") && html`<option value="front">${t("Next")}</option>`}<option value="low">${t("Only when idle")}</option></select><${Fault} text=${fault("priority")} /></label>
    <${Where} value=${where} onInput=${setWhere} fault=${fault("tags")} />
    ${takes.map(
      (
        /** @type {any} */ material,
      ) => html`<${FilamentChooser} key=${material.index} material=${material} index=${material.index} choices=${choices} value=${filaments[material.index] ?? ""} fault=${fault(`materials.${material.index}`)}
      onInput=${(value) => setFilaments({ ...filaments, [material.index]: value })} />`,
    )}
    ${known.length > 1 && html`<${Plates} part=${part} plates=${known} counts=${counts} setCounts=${setCounts} fault=${fault("plateQuantities")} />`}
    ${[...groups].map(([name, list]) => (name || groups.size > 1 || list.length > 3 ? html`<fieldset key=${name}><legend>${name || t("Parameters")}</legend>${fields(list)}</fieldset>` : fields(list)))}`;
  const rest = faults.filter((/** @type {any} */ each) => !shown.has(each)).map((/** @type {any} */ each) => each.message);
  return html`<form class="printform" onSubmit=${print}>${form}
    ${plates.length > 0 && !refused && html`<${Takers} plates=${plates} />`}
    ${may("queue.view") && jobs > 0 && !refused && html`<${Done} plan=${plan} />`}
    <p class="outcome" role="status">${refused ? html`<span class="problem">${rest[0] ?? (faults.length ? many(faults.length, "{count} field to correct", "{count} fields to correct") : refused.message)}</span>` : jobs ? `${many(jobs, "{count} job", "{count} jobs")}${seconds ? ` · ${t("{duration} of printing", { duration: duration(seconds) })}` : ""}` : jobs === 0 ? t("Nothing would be printed") : "…"}</p>
    <button class="primary" disabled=${busy || !jobs}>${t("Print × {quantity}", { quantity })}</button>
  </form>`;
}
