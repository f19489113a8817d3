// The failure board: what the farm took out of work since prints failed, how it is put back, and what failed prints have in common.
import { html } from "./html.js";
import { may, patch } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { refreshSoon } from "./farm.js";
import { time } from "./format.js";
import { Icon } from "./icons.js";
import { MAKE_NAMES } from "./makes.js";
import { ask, route } from "./route.js";
import { many, rich, t } from "./texts.js";

const AGAIN = 60_000;
const DAYS = [1, 7, 30, 90];
/** @type {Record<string, string>} */
const SUBJECTS = { printers: t("Printer"), parts: t("Part"), materials: t("Material"), profiles: t("Profile") };

/** Shows that the queue is paused, and why; nothing starts until somebody resumes it. */
export function PausedQueue({ stops = false }) {
  const { value, again } = useAnswer(may("queue.view") && "/v1/queue", { every: () => AGAIN });
  const tell = (/** @type {any} */ paused, /** @type {any} */ done, /** @type {(() => unknown) | undefined} */ undo = undefined) =>
    attempt(() => patch("/v1/queue", { paused }), done, undo).then(again);
  if (!value?.paused) {
    return (
      stops &&
      value &&
      may("queue.manage") &&
      html`<p class="acts"><button onClick=${() => tell(true, t("The queue is paused"), () => tell(false, t("Queue resumed")))}>${t("Pause the queue")}</button></p>`
    );
  }
  return html`<div class="stopped" role="status"><${Icon} name="pause" /><p><b>${t("The queue is paused since {time}.", { time: time(value.since) })}</b> ${value.reason} ${t("No job starts; running prints continue.")}</p>
    ${may("queue.manage") && html`<button class="primary" onClick=${() => tell(false, t("Queue resumed"))}>${t("Resume")}</button>`}</div>`;
}

/**
 * Printers or parts that wait to be released.
 * @param {{ title: string, list: any[], since: any, reason: any, none: any, path: string, needs: any, change: any, place: any, again: (...given: any[]) => any }} props
 */
function Held({ title, list, since, reason, none, path, needs, change, place, again }) {
  const release = (/** @type {any} */ each) =>
    attempt(() => patch(path, { ids: [each.id], ...change }), t("{name} is released", { name: each.name })).then(
      () => (again(), refreshSoon(0)),
    );
  return html`<section><h2>${title} <span class="count">${list.length || none}</span></h2>
    ${
      list.length > 0 &&
      html`<ul class="rows">${list.map(
        (
          /** @type {any} */ each,
        ) => html`<li class="row pair" key=${each.id}><div class="what"><h3><a href=${`/console/${place}/${each.id}`}>${each.name}</a></h3><p>${t("since {time}: {reason}", { time: time(each[since]), reason: each[reason] })}</p></div>
      <div class="acts">${may(needs) && html`<button aria-label=${t("Release {name}", { name: each.name })} onClick=${() => release(each)}>${t("Release")}</button>`}</div></li>`,
      )}</ul>`
    }</section>`;
}

/** @param {{ subject: any, list: any[] }} props */
function Rates({ subject, list }) {
  return html`<table class="sums numbers"><thead><tr><th scope="col">${SUBJECTS[subject]}</th><th scope="col">${t("Succeeded")}</th><th scope="col">${t("Failed")}</th><th scope="col">${t("Pieces rejected")}</th></tr></thead>
    <tbody>${list.map(
      (
        /** @type {any} */ each,
      ) => html`<tr key=${each.id ?? each.name}><th scope="row">${each.name ?? t("not known")}</th><td><b>${each.successRate === null ? "–" : `${Math.round(100 * each.successRate)} %`}</b></td>
      <td>${t("{failed} of {total}", { failed: each.failed, total: each.completed + each.failed })}</td><td>${each.good + each.rejected ? t("{rejected} of {total}", { rejected: each.rejected, total: each.good + each.rejected }) : "–"}</td></tr>`,
    )}</tbody></table>`;
}

/**
 * How many finish times came true, in all and by provider.
 * @param {{ list: any[] }} props
 */
function Kept({ list }) {
  const jobs = list.reduce((sum, each) => sum + each.jobs, 0);
  const share = (/** @type {string} */ name) => percent(list.reduce((sum, each) => sum + each.jobs * each[name], 0) / jobs);
  return html`<p>${many(
    jobs,
    "Of {count} job, {likely} were done by the likely time (50 % is ideal) and {latest} by the latest time (90 % is ideal).",
    "Of {count} jobs, {likely} were done by the likely time (50 % is ideal) and {latest} by the latest time (90 % is ideal).",
    { likely: share("keptAt"), latest: share("keptBy") },
  )}</p>
    <table class="sums numbers"><thead><tr><th scope="col">${t("Provider")}</th><th scope="col">${t("Jobs")}</th><th scope="col">${t("Done by the likely time")}</th><th scope="col">${t("Done by the latest time")}</th></tr></thead>
    <tbody>${list.map((each) => html`<tr key=${each.provider}><th scope="row">${MAKE_NAMES[each.provider] ?? t("not known")}</th><td>${each.jobs}</td><td>${percent(each.keptAt)}</td><td>${percent(each.keptBy)}</td></tr>`)}</tbody></table>`;
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;

export function Failures() {
  const asked = Number(route.value.query.get("days"));
  const days = DAYS.includes(asked) ? asked : 30;
  const from = new Date(Math.floor(Date.now() / 3_600_000 + 1) * 3_600_000 - days * 86_400_000).toISOString(); // the same for an hour
  const every = () => AGAIN;
  const printers = useAnswer(
    may("printer.view") && "/v1/printers?quarantinedAt.isNull=false&sort=quarantinedAt:desc&fields=id,name,quarantinedAt,quarantineReason",
    { every },
  );
  const parts = useAnswer(may("part.view") && "/v1/parts?heldAt.isNull=false&sort=heldAt:desc&fields=id,name,heldAt,heldReason", { every });
  const { value, problem } = useAnswer(`/v1/reports/failures?from=${from}`, { every });
  const promises = useAnswer("/v1/reports/promises", { every }).value?.providers ?? []; // of 30 days
  const rates = Object.keys(SUBJECTS).filter((subject) => /** @type {Record<string, any>} */ (value ?? {})[subject]?.length > 0);
  return html`<div class="queue failures"><h1 class="hidden">${t("Failures")}</h1><a class="back" href="/console/queue">${t("← Queue")}</a>
    <${PausedQueue} stops=${true} />
    ${printers.value && html`<${Held} title=${t("Printers in quarantine")} none="none" list=${printers.value} since="quarantinedAt" reason="quarantineReason" path="/v1/printers/quarantine" change=${{ quarantined: false }} needs="printer.control" place="printers" again=${printers.again} />`}
    ${parts.value && html`<${Held} title=${t("Parts on hold")} none="none" list=${parts.value} since="heldAt" reason="heldReason" path="/v1/parts/hold" change=${{ held: false }} needs="part.edit" place="parts" again=${parts.again} />`}
    <section><h2>${t("How prints ended")}</h2><div class="filters"><label class="pick">${rich("In the last {days}", { days: html`<select aria-label=${t("Days")} value=${days} onChange=${(event) => ask({ days: event.target.value })}>${DAYS.map((each) => html`<option key=${each} value=${each}>${many(each, "{count} day", "{count} days")}</option>`)}</select>` })}</label>
        ${may("settings.view") && html`<a href="/console/settings">${t("Failure policy")}</a>`}</div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${rates.map((subject) => html`<${Rates} key=${subject} subject=${subject} list=${/** @type {Record<string, any>} */ (value)[subject]} />`)}
      ${value && !rates.length && html`<p class="empty">${t("Nothing ended in that time.")}</p>`}</section>
    ${promises.length > 0 && html`<section class="kept"><h2>${t("Finish times of the last 30 days")}</h2><${Kept} list=${promises} /></section>`}</div>`;
}
