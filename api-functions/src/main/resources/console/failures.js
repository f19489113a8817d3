// The failure board: what the farm took out of work since prints failed, how it is put back, and what failed prints have in common.
import { html } from "./html.js";
import { may, patch } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { refreshSoon } from "./farm.js";
import { many, time } from "./format.js";
import { Icon } from "./icons.js";
import { ask, route } from "./route.js";

const AGAIN = 60_000;
const DAYS = [1, 7, 30, 90];
const SUBJECTS = { printers: "Printer", parts: "Part", materials: "Material", profiles: "Profile" };

/** Shows that the queue is paused, and why; nothing starts until somebody resumes it. */
export function PausedQueue({ stops = false }) {
  const { value, again } = useAnswer(may("queue.view") && "/v1/queue", { every: () => AGAIN });
  const tell = (paused, done, undo) => attempt(() => patch("/v1/queue", { paused }), done, undo).then(again);
  if (!value?.paused) {
    return stops && value && may("queue.manage") && html`<p class="acts"><button onClick=${() => tell(true, "The queue is paused", () => tell(false, "Queue resumed"))}>Pause the queue</button></p>`;
  }
  return html`<div class="stopped" role="status"><${Icon} name="pause" /><p><b>The queue is paused since ${time(value.since)}.</b> ${value.reason} No job starts; running prints continue.</p>
    ${may("queue.manage") && html`<button class="primary" onClick=${() => tell(false, "Queue resumed")}>Resume</button>`}</div>`;
}

/** Printers or parts that wait to be released. */
function Held({ title, list, since, reason, none, path, needs, change, place, again }) {
  const release = (each) => attempt(() => patch(path, { ids: [each.id], ...change }), `${each.name} is released`).then(() => (again(), refreshSoon(0)));
  return html`<section><h2>${title} <span class="count">${list.length || none}</span></h2>
    ${list.length > 0 && html`<ul class="rows">${list.map((each) => html`<li class="row pair" key=${each.id}><div class="what"><h3><a href=${`/console/${place}/${each.id}`}>${each.name}</a></h3><p>since ${time(each[since])}: ${each[reason]}</p></div>
      <div class="acts">${may(needs) && html`<button aria-label=${`Release ${each.name}`} onClick=${() => release(each)}>Release</button>`}</div></li>`)}</ul>`}</section>`;
}

function Rates({ subject, list }) {
  return html`<table class="sums numbers"><thead><tr><th scope="col">${SUBJECTS[subject]}</th><th scope="col">Succeeded</th><th scope="col">Failed</th><th scope="col">Pieces rejected</th></tr></thead>
    <tbody>${list.map((each) => html`<tr key=${each.id ?? each.name}><th scope="row">${each.name ?? "not known"}</th><td><b>${each.successRate === null ? "–" : `${Math.round(100 * each.successRate)} %`}</b></td>
      <td>${each.failed} of ${each.completed + each.failed}</td><td>${each.good + each.rejected ? `${each.rejected} of ${each.good + each.rejected}` : "–"}</td></tr>`)}</tbody></table>`;
}

export function Failures() {
  const asked = Number(route.value.query.get("days"));
  const days = DAYS.includes(asked) ? asked : 30;
  const from = new Date(Math.floor(Date.now() / 3_600_000 + 1) * 3_600_000 - days * 86_400_000).toISOString(); // the same for an hour
  const every = () => AGAIN;
  const printers = useAnswer(may("printer.view") && "/v1/printers?quarantinedAt.isNull=false&sort=quarantinedAt:desc&fields=id,name,quarantinedAt,quarantineReason", { every });
  const parts = useAnswer(may("part.view") && "/v1/parts?heldAt.isNull=false&sort=heldAt:desc&fields=id,name,heldAt,heldReason", { every });
  const { value, problem } = useAnswer(`/v1/reports/failures?from=${from}`, { every });
  const rates = Object.keys(SUBJECTS).filter((subject) => value?.[subject].length > 0);
  return html`<div class="queue failures"><h1 class="hidden">Failures</h1><a class="back" href="/console/queue">← Queue</a>
    <${PausedQueue} stops=${true} />
    ${printers.value && html`<${Held} title="Printers in quarantine" none="none" list=${printers.value} since="quarantinedAt" reason="quarantineReason" path="/v1/printers/quarantine" change=${{ quarantined: false }} needs="printer.control" place="printers" again=${printers.again} />`}
    ${parts.value && html`<${Held} title="Parts on hold" none="none" list=${parts.value} since="heldAt" reason="heldReason" path="/v1/parts/hold" change=${{ held: false }} needs="part.edit" place="parts" again=${parts.again} />`}
    <section><h2>How prints ended</h2><div class="filters"><label class="pick">In the last <select aria-label="Days" value=${days} onChange=${(event) => ask({ days: event.target.value })}>${DAYS.map((each) => html`<option key=${each} value=${each}>${many(each, "day")}</option>`)}</select></label>
        ${may("settings.view") && html`<a href="/console/settings">What is done about failures</a>`}</div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${rates.map((subject) => html`<${Rates} key=${subject} subject=${subject} list=${value[subject]} />`)}
      ${value && !rates.length && html`<p class="empty">Nothing ended in that time.</p>`}</section></div>`;
}
