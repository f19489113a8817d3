// Orders: what is due, how far each is, and what holds it up.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { useChanges, useFarmShown } from "./changes.js";
import { get, may, patch, post } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { ids, showFarm, viewOf } from "./farm.js";
import { Icon } from "./icons.js";
import { jobs } from "./jobs.js";
import { now } from "./live.js";
import { jobStatus } from "./names.js";
import { OrderCost } from "./ordercost.js";
import { Naming, Paging, Search } from "./components.js";
import { OrderPromise, Promised, usePromises } from "./promises.js";
import { ask, route } from "./route.js";
import { ConfirmButton } from "./confirm.js";
import { Import } from "./importing.js";
import { day, duration, fromField, moment, money, toField } from "./format.js";
import { many, rich, t } from "./texts.js";

const AT_ONCE = 50;
const AGAIN = 60_000; // what events do not tell
const COSTS_EVERY = 120_000;
const DAY = 86_400_000;

/** What is shown of all orders, and in which order. */
/** @type {Record<string, { word: string, filter: object, sort: string }>} */
const KINDS = {
  open: { word: t("Open"), filter: { status: "open" }, sort: "deadline,createdAt" },
  closed: { word: t("Closed"), filter: { status: "closed", cancelledAt: { isNull: true } }, sort: "closedAt:desc" },
  cancelled: { word: t("Cancelled"), filter: { cancelledAt: { isNull: false } }, sort: "cancelledAt:desc" },
};

/** @param {Order} order */
const kindOf = (order) => (order.cancelledAt ? "cancelled" : order.status);

/**
 * When it is due, seen from now.
 * @param {{ order: Order }} props
 */
function Due({ order }) {
  if (!order.deadline) {
    return html`<span class="due">${t("no deadline")}</span>`;
  }
  const left = Date.parse(order.deadline) - Math.floor(now.value / 60_000) * 60_000;
  if (order.status !== "open") {
    return html`<span class="due">${t("due {time}", { time: day(order.deadline) })}</span>`;
  }
  const span = (/** @type {number} */ milliseconds) =>
    milliseconds < 2 * DAY ? duration(milliseconds / 1000) : many(Math.floor(milliseconds / DAY), "{count} day", "{count} days");
  return html`<span class="due" data-due=${left < 0 ? "late" : left < DAY ? "soon" : "later"} title=${moment(order.deadline)}>${left < 0 ? html`<${Icon} name="alert" />${t("{span} overdue", { span: span(-left) })}` : t("due in {span}", { span: span(left) })}</span>`;
}

/**
 * What keeps an order from going on by itself.
 * @param {Order} order
 */
function blocks(order) {
  if (order.status !== "open") {
    return [];
  }
  const items = /** @type {any} */ (order).items ?? [];
  const unknown = items.filter((/** @type {OrderItem} */ item) => !item.skuId && !item.ignored).length;
  const own = [...jobs.value.values()].filter((job) => job.orderId === order.id);
  const approvals = own.filter((job) => job.status === "Waiting-for-approval").length;
  const unqueued = items.filter(
    (/** @type {OrderItem} */ item) => item.skuId && !item.ignored && item.processedStatus === "unprocessed",
  ).length;
  return [
    unknown && many(unknown, "{count} item without a SKU", "{count} items without a SKU"),
    order.progress.failed && many(order.progress.failed, "{count} job failed", "{count} jobs failed"),
    approvals && many(approvals, "{count} job waits for approval", "{count} jobs wait for approval"),
    unqueued && many(unqueued, "{count} item not queued yet", "{count} items not queued yet"),
    !items.length && t("it has no items"),
  ].filter(Boolean);
}

/** @param {{ order: Order }} props */
function Blocks({ order }) {
  const list = blocks(order);
  return list.length > 0 && html`<p class="warning"><${Icon} name="alert" />${list.join(" · ")}</p>`;
}

/** @param {{ progress: any }} props */
function Done({ progress: { wanted, done, printing, queued } }) {
  return wanted > 0
    ? html`<div class="done"><progress max=${wanted} value=${done} aria-label=${t("Printed")}></progress>
    <p>${[t("{done} of {wanted} printed", { done, wanted }), printing && t("{printing} at printers", { printing }), queued && t("{queued} waiting", { queued })].filter(Boolean).join(" · ")}</p></div>`
    : html`<p class="done count">${t("nothing queued yet")}</p>`;
}

/** @param {any} answer */
const printed = (answer) => {
  const problems = answer.orders.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.problems.length, 0);
  return [
    many(answer.queued, "{count} job queued", "{count} jobs queued"),
    answer.cancelled && t("{cancelled} cancelled", { cancelled: answer.cancelled }),
    problems && many(problems, "{count} item could not be printed", "{count} items could not be printed"),
  ]
    .filter(Boolean)
    .join(", ");
};

function List() {
  const { query } = route.value;
  const asked = query.get("kind") ?? "";
  const kind = KINDS[asked] ? asked : "open";
  const text = query.get("text") ?? "";
  const page = Math.max(0, Number(query.get("page")) || 0);
  const { filter, sort } = KINDS[kind];
  const { value, problem, again } = useAnswer("/v1/orders/search", {
    body: {
      filter: { ...filter, ...(text && { or: ["orderNumber", "externalId", "note"].map((name) => ({ [name]: { contains: text } })) }) },
      sort,
      limit: AT_ONCE,
      offset: page * AT_ONCE,
      include: "items,customer",
    },
    every: () => AGAIN,
  });
  useChanges("orderChanged", again);
  const promises = usePromises("/v1/orders", "status=open", ",late");
  return html`<div class="orders"><h1 class="hidden">${t("Orders")}</h1>
    <div class="filters"><${Search} label=${t("Search orders")} placeholder=${t("Number, note")} />
      <div class="chips" role="group" aria-label=${t("Kinds of orders")}>${Object.entries(KINDS).map(([name, { word }]) => html`<button key=${name} class="chip plain" aria-pressed=${kind === name} onClick=${() => ask({ kind: name === "open" ? "" : name, page: "" })}>${word}${kind === name && value && html` <b>${value.meta.total}</b>`}</button>`)}</div>
      ${kind === "open" && may("order.print") && value?.data.length > 0 && html`<${ConfirmButton} word=${t("Queue remaining items of all orders")} ask=${() => ({ title: t("Queue the remaining items of all open orders?"), kind: "primary", facts: [[t("Orders"), value.meta.total]] })} act=${() => attempt(() => post("/v1/orders/print", {}), printed).then(again)} />`}
      ${may("order.create") && html`<${Import} path="/v1/orders" done=${again} />`}</div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      value?.data.length > 0 &&
      html`<ul class="rows">${value.data.map(
        (order) => html`<li class="row order" key=${order.id} data-kind=${kindOf(order)}>
      <div class="what"><h2><a href=${`/console/orders/${order.id}`}>${order.orderNumber || t("without a number")}</a></h2>
        <p>${[order.customer?.name, order.source !== "manual" && order.source, many(order.items.length, "{count} item", "{count} items"), order.note].filter(Boolean).join(" · ")}</p><${Blocks} order=${order} /></div>
      <${Done} progress=${order.progress} /><p class="status"><${Due} order=${order} /> ${promises.has(order.id) ? html`<${Promised} list=${[promises.get(order.id)]} />` : order.status === "open" && order.progress.queued + order.progress.printing > 0 && html`<span class="promised">${t("being planned")}</span>`}</p></li>`,
      )}</ul>`
    }
    ${value?.data.length === 0 && html`<p class="empty">${text ? t("No order matches.") : { open: t("No order is open."), closed: t("No order is closed yet."), cancelled: t("No order was cancelled.") }[kind]}</p>`}
    ${!value && !problem && html`<p class="empty">${t("Loading …")}</p>`}
    ${value && html`<${Paging} meta=${value.meta} page=${page} />`}
  </div>`;
}

/**
 * The jobs of an item, those alike together.
 * @param {{ list: any[] }} props
 */
function Jobs({ list }) {
  const groups = new Map();
  for (const job of list) {
    const key = `${job.partName} ${job.status} ${job.assignedPrinterId ?? ""} ${job.errorMessage ?? ""}`;
    groups.has(key) ? groups.get(key).count++ : groups.set(key, { job, count: 1 });
  }
  return html`<ul class="itemjobs">${[...groups].map(
    ([key, { job, count }]) => html`<li key=${key} data-status=${job.status}>
    <b>${count} × ${job.partName}</b> ${jobStatus(job.status).toLowerCase()}
    ${job.assignedPrinterId && ids.value.includes(job.assignedPrinterId) && html` ${rich("on {printer}", { printer: html`<a href=${`/console/printers/${job.assignedPrinterId}`}>${viewOf(job.assignedPrinterId).value.printer.name}</a>` })}`}
    ${job.errorMessage && html`<span class="problem"> ${job.errorMessage}</span>`}</li>`,
  )}</ul>`;
}

/** @param {{ item: OrderItem, sku: Sku, list: any[], cost: any, currency: string, problem: any, again: (...given: any[]) => any }} props */
function Item({ item, sku, list, cost, currency, problem, again }) {
  const [naming, setNaming] = useState(false);
  const name = sku?.title ?? item.title ?? item.externalSku ?? t("Item");
  const choose = async (/** @type {any} */ wanted) => {
    const [found] = await get(`/v1/skus?sku=${encodeURIComponent(wanted)}&limit=1`);
    if (!found) {
      throw new Error(t('No SKU matches "{wanted}"', { wanted }));
    }
    await patch(`/v1/orders/items/${item.id}`, { skuId: found.id });
  };
  const note = problem ?? (!item.skuId && !item.ignored ? (item.resolutionNote?.message ?? t("It has no SKU")) : "");
  return html`<li class="row order"><div class="what"><h3>${item.quantity} × ${item.skuId && may("sku.view") ? html`<a href=${`/console/skus/${item.skuId}`}>${name}</a>` : name}</h3>
      <p>${[sku?.sku, sku && item.title !== sku.title && item.title, item.personalization && `“${item.personalization}”`, item.skuId && cost && (cost.filamentCents + cost.componentCents === 0 ? t("no price") : [t("costs {amount}", { amount: money(cost.filamentCents + cost.componentCents, currency) }), cost.estimated && t("estimated"), !cost.isComplete && t("incomplete")].filter(Boolean).join(", "))].filter(Boolean).join(" · ")}</p>
      ${note && html`<p class="warning"><${Icon} name="alert" />${note}</p>`}
      ${list.length > 0 && html`<${Jobs} list=${list} />`}</div>
    ${item.ignored ? html`<p class="count">${t("ignored")}</p>` : html`<${Done} progress=${item.progress} />`}
    <div class="acts">${
      may("order.edit") &&
      !item.skuId &&
      (naming
        ? html`<${Naming} label=${t("SKU")} word=${t("Use")} value=${item.externalSku ?? ""} cancel=${() => setNaming(false)} act=${(wanted) => attempt(() => choose(wanted), t("It is known now")).then((good) => good && (setNaming(false), again()))} />`
        : html`${may("sku.view") && !item.ignored && html`<button class="quiet" onClick=${() => setNaming(true)}>${t("Choose a SKU")}</button>`}
        <button class="quiet" onClick=${() => attempt(() => patch(`/v1/orders/items/${item.id}`, { ignored: !item.ignored }), item.ignored ? t("No longer ignored") : t("Ignored")).then(again)}>${item.ignored ? t("Ignore no longer") : t("Ignore")}</button>`)
    }</div></li>`;
}

/**
 * It is in the store's time zone, and set when the field is left or Enter is pressed: typing changes it digit by digit.
 * @param {{ deadline: any, set: (...given: any[]) => any }} props
 */
function Deadline({ deadline, set }) {
  const known = deadline ? toField(deadline) : "";
  const leave = (/** @type {any} */ { target: { value, validity } }) =>
    !validity.badInput && value !== known && set(value ? fromField(value) : null);
  return html`<label class="pick placed">${t("Deadline")} <input key=${known} type="datetime-local" defaultValue=${known} onBlur=${leave} onKeyDown=${(event) => event.key === "Enter" && event.target.blur()} /></label>`;
}

/** @param {{ id: string }} props */
function Order({ id }) {
  const { value: order, problem, again } = useAnswer(`/v1/orders/${id}`, { every: () => AGAIN });
  const [problems, setProblems] = useState(new Map());
  const skuIds = [...new Set((order?.items ?? []).map((/** @type {OrderItem} */ item) => item.skuId).filter(Boolean))].slice(0, 100);
  const skus = useAnswer(skuIds.length > 0 && may("sku.view") && `/v1/skus?fields=id,sku,title&id.in=${skuIds.join(",")}`);
  const own = useAnswer(
    Boolean(order) &&
      may("queue.view") &&
      `/v1/print-jobs?orderId=${id}&limit=1000&fields=id,partName,status,assignedPrinterId,errorMessage,orderItemId&status.ne=Cancelled`,
    { every: () => AGAIN },
  );
  const cost = useAnswer(Boolean(order) && `/v1/orders/${id}/cost`, { every: () => COSTS_EVERY });
  useChanges("orderChanged", again);
  const moved = [...jobs.value.values()]
    .filter((job) => job.orderId === id)
    .map((job) => job.id + job.status)
    .join();
  useEffect(() => {
    again();
    own.again();
  }, [moved]);
  if (!order) {
    return html`<p class="empty">${problem || t("Loading …")}</p>`;
  }
  const kind = kindOf(order);
  const change = (/** @type {string} */ word, /** @type {any} */ done) =>
    attempt(() => patch(`/v1/orders/batch/${word}`, { orderIds: [id] }), done).then(again);
  const print = () =>
    attempt(async () => {
      const answer = await post("/v1/orders/print", { orderIds: [id] });
      setProblems(new Map(answer.orders.flatMap((each) => each.problems).map((each) => [each.orderItemId, each.message])));
      return answer;
    }, printed).then(() => (again(), own.again(), cost.again()));
  const total = cost.value;
  return html`<article class="orders piece"><a class="back" href=${`/console/orders${kind === "open" ? "" : `?kind=${kind}`}`}>${t("← Orders")}</a>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="sheet plain"><div class="title"><h1>${t("Order {orderNumber}", { orderNumber: order.orderNumber || t("without a number") })}</h1>
        <p>${[KINDS[kind].word, order.customer?.name, order.customer?.email, order.source !== "manual" && order.source, t("of {time}", { time: moment(order.createdAt) })].filter(Boolean).join(" · ")}</p>
        ${order.note && html`<p>${order.note}</p>`}<p><${Due} order=${order} /></p><${Blocks} order=${order} />${order.status === "open" && may("queue.view") && html`<${OrderPromise} order=${order} />`}</div>
      <${Done} progress=${order.progress} />
      <div class="controls">
        ${kind === "open" && may("order.print") && html`<button class="primary" onClick=${print}>${t("Queue remaining items")}</button>`}
        ${
          may("order.edit") &&
          html`
          ${
            kind === "open" &&
            html`<${ConfirmButton} word=${t("Close")} ask=${() => ({ title: t("Close order {orderNumber}?", { orderNumber: order.orderNumber || t("without a number") }), kind: "primary", note: t("You can open it again.") })} act=${() => change("close", t("The order is closed"))} />
            <${ConfirmButton} word=${t("Cancel")} ask=${() => ({
              title: t("Cancel order {orderNumber} and its jobs?", { orderNumber: order.orderNumber || t("without a number") }),
              word: t("Cancel the order"),
              keep: t("Keep the order"),
              facts: [
                [t("Waiting jobs"), order.progress.queued],
                [t("Jobs on printers"), order.progress.printing],
              ],
            })} act=${() => change("cancel", t("The order is cancelled"))} />`
          }
          ${kind !== "open" && html`<${ConfirmButton} word=${t("Open again")} ask=${() => ({ title: t("Open order {orderNumber} again?", { orderNumber: order.orderNumber || t("without a number") }), kind: "primary" })} act=${() => change("reopen", t("The order is open again"))} />`}
          <${Deadline} deadline=${order.deadline} set=${(deadline) => attempt(() => patch(`/v1/orders/${id}`, { deadline }), t("The deadline is set")).then(again)} />`
        }
        ${/^https?:/.test(order.externalUrl ?? "") && html`<a href=${order.externalUrl} rel="noreferrer" target="_blank">${t("In the shop")}</a>`}
      </div></div>
    <section><h2>${t("Items")}</h2><ul class="rows">${order.items.map(
      (
        /** @type {OrderItem} */ item,
      ) => html`<${Item} key=${item.id} item=${item} sku=${skus.value?.find((each) => each.id === item.skuId)} list=${(own.value ?? []).filter((/** @type {Job} */ job) => job.orderItemId === item.id)}
      cost=${total?.items.find((/** @type {any} */ each) => each.orderItemId === item.id)} currency=${total?.currency} problem=${problems.get(item.id)} again=${() => (again(), cost.again())} />`,
    )}</ul></section>
    ${total && html`<${OrderCost} cost=${total} />`}
  </article>`;
}

export function Orders() {
  useFarmShown(showFarm);
  const id = route.value.path.split("/")[1];
  return id ? html`<${Order} key=${id} id=${id} />` : html`<${List} />`;
}
