// Finished work: what was printed, what failed and why, and how much of it succeeded.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { get, may, patch } from "./api.js";
import { attempt, useAnswer, useSending } from "./requests.js";
import { ids, viewOf } from "./farm.js";
import { duration, moment, number } from "./format.js";
import { Icon } from "./icons.js";
import { loadJobs } from "./jobs.js";
import { jobStatus } from "./names.js";
import { Field, NumberField, Paging, Search, Thumbnail, withoutIds } from "./components.js";
import { ask, route } from "./route.js";
import { say } from "./toast.js";
import { many, rich, t } from "./texts.js";

const PAGE = 50;
const OUTCOMES = ["Completed", "Failed", "Cancelled"];
const PERIODS = [
  { days: 1, name: t("24 hours") },
  { days: 7, name: t("7 days") },
  { days: 30, name: t("30 days") },
];
const FIELDS =
  "id,partId,partName,skuName,label,quantityIndex,quantityTotal,thumbnailUri,status,assignedPrinterId,actualSeconds,actualGrams,errorMessage,completedAt,cancelledAt,updatedAt,attempt,good,rejected,qualityReason,policyReason";

/** Success rates of attempts, so that a failed print counts although its job was queued again. */
function Rates() {
  const [rates, setRates] = useState([]);
  useEffect(() => {
    const rate = (/** @type {any} */ days) => get(`/v1/reports/failures?from=${new Date(Date.now() - days * 86_400_000).toISOString()}`);
    Promise.all(PERIODS.map(async ({ days, name }) => ({ ...(await rate(days)).all, name }))).then(setRates, () => {});
  }, []);
  return html`<dl class="rates">${rates.map(
    (/** @type {any} */ { name, completed, failed, successRate }) => html`<div key=${name}><dt>${name}</dt>
    <dd><b>${successRate === null ? "–" : `${Math.round(100 * successRate)} %`}</b> ${t("{completed} printed, {failed} failed", { completed: number(completed), failed: number(failed) })}</dd></div>`,
  )}</dl>`;
}

/**
 * What somebody found of the pieces: rejected ones are made again, once however often it is said.
 * @param {{ job: Job, done: any }} props
 */
function Judge({ job, done }) {
  const [found, setFound] = useState({ good: job.good ?? 1, rejected: job.rejected ?? 0, reason: job.qualityReason ?? "" });
  const { faults, submit, busy } = useSending(async () => {
    await patch(`/v1/print-jobs/${job.id}/quality`, { ...found, reason: found.reason.trim() || null });
    say(
      found.rejected
        ? many(found.rejected, "{count} rejected piece is made again", "{count} rejected pieces are made again")
        : t("Saved as good"),
    );
    done();
    loadJobs();
  });
  const number = (/** @type {string} */ name, /** @type {string} */ label) =>
    html`<${NumberField} label=${label} path=${name} faults=${faults} value=${/** @type {Record<string, any>} */ (found)[name]} step="1" onChange=${(value) => setFound({ ...found, [name]: value })} />`;
  return html`<form class="judge repeated" onSubmit=${submit} noValidate>${number("good", t("Good"))}${number("rejected", t("Rejected"))}
    <${Field} label=${t("Why")} path="reason" faults=${faults}><input maxlength="2000" value=${found.reason} onInput=${(event) => setFound({ ...found, reason: event.target.value })} /></${Field}><button class="primary" disabled=${busy}>${t("Save")}</button></form>`;
}

/** @param {{ job: Job, again: (...given: any[]) => any }} props */
function Ended({ job, again }) {
  const [judging, setJudging] = useState(false);
  const printer = ids.value.includes(job.assignedPrinterId) && viewOf(job.assignedPrinterId).value.printer;
  const retry = () =>
    attempt(
      () => patch("/v1/print-jobs/retry", { printJobIds: [job.id] }),
      (/** @type {any} */ done) =>
        done.length ? t("{partName} is queued again", { partName: job.partName }) : t("Not queued: its order no longer needs it"),
    ).then((done) => (again(), done ? loadJobs() : undefined));
  return html`<li class="row ended" data-status=${job.status}>
    <${Thumbnail} uri=${job.thumbnailUri} />
    <div class="what"><h3 title=${job.partName}>${job.partName}</h3>
      <p>${[job.skuName, job.label !== job.partName && job.label, job.quantityTotal > 1 && t("{quantityIndex} of {quantityTotal}", { quantityIndex: job.quantityIndex, quantityTotal: job.quantityTotal }), job.actualSeconds && duration(job.actualSeconds), job.actualGrams && `${Math.round(job.actualGrams)} g`].filter(Boolean).join(" · ")}</p>
      ${(job.good !== null || job.rejected > 0) && html`<p class=${job.rejected ? "problem" : ""}>${[job.good !== null && t("{good} good", { good: job.good }), job.rejected > 0 && t("{rejected} rejected", { rejected: job.rejected })].filter(Boolean).join(", ")}${job.qualityReason && `: ${job.qualityReason}`}</p>`}
      ${job.errorMessage && html`<p class="problem">${job.errorMessage}</p>`}${job.policyReason && html`<p class="whole">${withoutIds(job.policyReason)}</p>`}</div>
    <p class="status">${jobStatus(job.status)}${printer && html` ${rich("on {printer}", { printer: html`<a href=${`/console/printers/${printer.id}`}>${printer.name}</a>` })}`}<br />${moment(job.completedAt ?? job.cancelledAt ?? job.updatedAt)}</p>
    <div class="acts">${job.status !== "Completed" && may("queue.manage") && html`<button class="quiet" aria-label=${t("Retry: {partName}", { partName: job.partName })} onClick=${retry}><${Icon} name="retry" />${t("Retry")}</button>`}
      ${job.status === "Completed" && may("queue.manage") && html`<button class="quiet" aria-expanded=${judging} aria-label=${t("Check quality of {partName}", { partName: job.partName })} onClick=${() => setJudging(!judging)}>${t("Check quality")}</button>`}</div>
    ${judging && html`<${Judge} job=${job} done=${() => (setJudging(false), again())} />`}</li>`;
}

export function Finished() {
  const { query } = route.value;
  const status = query.get("status") ?? "";
  const text = query.get("text") ?? "";
  const page = Number(query.get("page") ?? 0);
  const { value, problem, again } = useAnswer(
    `/v2/print-history?limit=${PAGE}&offset=${page * PAGE}&fields=${FIELDS}${status && `&status=${status}`}${text && `&partName.contains=${encodeURIComponent(text)}`}`,
  );
  return html`<div class="queue"><h1 class="hidden">${t("Finished work")}</h1><h2 class="hidden">${t("Jobs that ended")}</h2>
    <a class="back" href="/console/queue">${t("← Queue")}</a>
    <${Rates} />
    <div class="filters"><${Search} label=${t("Search finished jobs")} placeholder=${t("Part")} />
      <div class="chips" role="group" aria-label=${t("Outcomes")}>${OUTCOMES.map((each) => html`<button key=${each} class="chip" data-outcome=${each} aria-pressed=${status === each} onClick=${() => ask({ status: status === each ? "" : each, page: "" })}>${jobStatus(each)}</button>`)}</div>
      ${value && html`<span class="count">${many(value.meta.total, "{count} job", "{count} jobs")}</span>`}</div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      value &&
      (value.data.length
        ? html`<ul class="rows">${value.data.map((job) => html`<${Ended} key=${job.id} job=${job} again=${again} />`)}</ul><${Paging} meta=${value.meta} page=${page} />`
        : html`<p class="empty">${status || text ? t("No job matches.") : t("Nothing has been printed yet.")}</p>`)
    }
  </div>`;
}
