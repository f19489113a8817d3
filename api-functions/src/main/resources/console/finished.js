// Finished work: what was printed, what failed and why, and how much of it succeeded.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { get, may, patch } from "./api.js";
import { attempt, useAnswer, useSending } from "./requests.js";
import { ids, viewOf } from "./farm.js";
import { duration, many, moment, number } from "./format.js";
import { Icon } from "./icons.js";
import { loadJobs } from "./jobs.js";
import { Field, NumberField, Paging, Search, Thumbnail, withoutIds } from "./components.js";
import { ask, route } from "./route.js";
import { say } from "./toast.js";

const PAGE = 50;
const OUTCOMES = ["Completed", "Failed", "Cancelled"];
const PERIODS = [{ days: 1, name: "24 hours" }, { days: 7, name: "7 days" }, { days: 30, name: "30 days" }];
const FIELDS = "id,partId,partName,skuName,label,quantityIndex,quantityTotal,thumbnailUri,status,assignedPrinterId,actualSeconds,actualGrams,errorMessage,completedAt,cancelledAt,updatedAt,attempt,good,rejected,qualityReason,policyReason";

/** Success rates of attempts, so that a failed print counts although its job was queued again. */
function Rates() {
  const [rates, setRates] = useState([]);
  useEffect(() => {
    const rate = (days) => get(`/v1/reports/failures?from=${new Date(Date.now() - days * 86_400_000).toISOString()}`);
    Promise.all(PERIODS.map(async ({ days, name }) => ({ name, ...(await rate(days)).all }))).then(setRates, () => {});
  }, []);
  return html`<dl class="rates">${rates.map(({ name, completed, failed, successRate }) => html`<div key=${name}><dt>${name}</dt>
    <dd><b>${successRate === null ? "–" : `${Math.round(100 * successRate)} %`}</b> ${number(completed)} printed, ${number(failed)} failed</dd></div>`)}</dl>`;
}

/** What somebody found of the pieces: rejected ones are made again, once however often it is said. */
function Judge({ job, done }) {
  const [found, setFound] = useState({ good: job.good ?? 1, rejected: job.rejected ?? 0, reason: job.qualityReason ?? "" });
  const { faults, submit, busy } = useSending(async () => {
    await patch(`/v1/print-jobs/${job.id}/quality`, { ...found, reason: found.reason.trim() || null });
    say(found.rejected ? `${many(found.rejected, "rejected piece")}: made again` : "Noted as good");
    done();
    loadJobs();
  });
  const number = (name, label) => html`<${NumberField} label=${label} path=${name} faults=${faults} value=${found[name]} step="1" onChange=${(value) => setFound({ ...found, [name]: value })} />`;
  return html`<form class="judge repeated" onSubmit=${submit} noValidate>${number("good", "Good")}${number("rejected", "Rejected")}
    <${Field} label="Why" path="reason" faults=${faults}><input maxlength="2000" value=${found.reason} onInput=${(event) => setFound({ ...found, reason: event.target.value })} /></${Field}><button class="primary" disabled=${busy}>Save</button></form>`;
}

function Ended({ job, again }) {
  const [judging, setJudging] = useState(false);
  const printer = ids.value.includes(job.assignedPrinterId) && viewOf(job.assignedPrinterId).value.printer;
  const retry = () => attempt(() => patch("/v1/print-jobs/retry", { printJobIds: [job.id] }), (done) => (done.length ? `${job.partName} is queued again` : "It was left: its order does not lack it any more")).then((done) => (again(), done && loadJobs()));
  return html`<li class="row ended" data-status=${job.status}>
    <${Thumbnail} uri=${job.thumbnailUri} />
    <div class="what"><h3 title=${job.partName}>${job.partName}</h3>
      <p>${[job.skuName, job.label !== job.partName && job.label, job.quantityTotal > 1 && `${job.quantityIndex} of ${job.quantityTotal}`, job.actualSeconds && duration(job.actualSeconds), job.actualGrams && `${Math.round(job.actualGrams)} g`].filter(Boolean).join(" · ")}</p>
      ${(job.good !== null || job.rejected > 0) && html`<p class=${job.rejected ? "problem" : ""}>${[job.good !== null && `${job.good} good`, job.rejected > 0 && `${job.rejected} rejected`].filter(Boolean).join(", ")}${job.qualityReason && `: ${job.qualityReason}`}</p>`}
      ${job.errorMessage && html`<p class="problem">${job.errorMessage}</p>`}${job.policyReason && html`<p class="whole">${withoutIds(job.policyReason)}</p>`}</div>
    <p class="status">${job.status}${printer && html` on <a href=${`/console/printers/${printer.id}`}>${printer.name}</a>`}<br />${moment(job.completedAt ?? job.cancelledAt ?? job.updatedAt)}</p>
    <div class="acts">${job.status !== "Completed" && may("queue.manage") && html`<button class="quiet" aria-label=${`Retry: ${job.partName}`} onClick=${retry}><${Icon} name="retry" />Retry</button>`}
      ${job.status === "Completed" && may("queue.manage") && html`<button class="quiet" aria-expanded=${judging} aria-label=${`Check quality of ${job.partName}`} onClick=${() => setJudging(!judging)}>Check quality</button>`}</div>
    ${judging && html`<${Judge} job=${job} done=${() => (setJudging(false), again())} />`}</li>`;
}

export function Finished() {
  const { query } = route.value;
  const status = query.get("status") ?? "";
  const text = query.get("text") ?? "";
  const page = Number(query.get("page") ?? 0);
  const { value, problem, again } = useAnswer(`/v2/print-history?limit=${PAGE}&offset=${page * PAGE}&fields=${FIELDS}${status && `&status=${status}`}${text && `&partName.contains=${encodeURIComponent(text)}`}`);
  return html`<div class="queue"><h1 class="hidden">Finished work</h1><h2 class="hidden">Jobs that ended</h2>
    <a class="back" href="/console/queue">← Queue</a>
    <${Rates} />
    <div class="filters"><${Search} label="Search finished jobs" placeholder="Part" />
      <div class="chips" role="group" aria-label="Outcomes">${OUTCOMES.map((each) => html`<button key=${each} class="chip" data-outcome=${each} aria-pressed=${status === each} onClick=${() => ask({ status: status === each ? "" : each, page: "" })}>${each}</button>`)}</div>
      ${value && html`<span class="count">${many(value.meta.total, "job")}</span>`}</div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${value && (value.data.length ? html`<ul class="rows">${value.data.map((job) => html`<${Ended} key=${job.id} job=${job} again=${again} />`)}</ul><${Paging} meta=${value.meta} page=${page} />`
      : html`<p class="empty">${status || text ? "No job matches." : "Nothing has been printed yet."}</p>`)}
  </div>`;
}
