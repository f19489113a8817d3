// The library: parts and SKUs in their folders, a page at a time.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { may, patch, post, send } from "./api.js";
import { attempt, useAnswer } from "./requests.js";
import { Icon } from "./icons.js";
import { Part } from "./part.js";
import { partType } from "./names.js";
import { Naming, Paging, Search, Thumbnail } from "./components.js";
import { ask, go, route } from "./route.js";
import { Sku } from "./sku.js";
import { ConfirmButton } from "./confirm.js";
import { Import } from "./importing.js";
import { duration, money } from "./format.js";
import { many, t } from "./texts.js";

const AT_ONCE = 60;
const LOOK_EVERY = 2000;
/** @type {Record<string, string>} */
const ORDERS = { "": "createdAt:desc", oldest: "createdAt", name: "name" };

/** @type {Record<string, any>} What the two shelves of the library differ in. */
const SHELVES = {
  part: {
    path: "parts",
    noun: t("part"),
    plural: t("Parts"),
    view: "part.view",
    fields: "id,name,type,thumbnailUri,slicingEstimate,processingStatus,processing,folderId",
    name: "name",
    searched: ["name"],
    of: (/** @type {Part} */ part) => ({
      title: part.name,
      uri: part.thumbnailUri,
      facts: [
        partType(part.type),
        part.slicingEstimate && duration(part.slicingEstimate.estimatedPrintTimeSeconds),
        part.slicingEstimate?.totalWeightGrams != null && `${Math.round(part.slicingEstimate.totalWeightGrams)} g`,
      ],
      state: { processing: t("Is being read …"), failed: t("Could not be read") }[part.processingStatus],
      failed: part.processingStatus === "failed",
    }),
    empty: () => html`${t("No part yet. Drop a file anywhere: 3MF, G-code, STL, STEP or OpenSCAD.")}`,
  },
  sku: {
    path: "skus",
    noun: t("SKU"),
    plural: t("SKUs"),
    view: "sku.view",
    fields: "id,sku,title,totalCogs,folderId,linkedParts",
    name: "sku",
    searched: ["sku", "title"],
    of: (/** @type {any} */ sku) => ({
      title: sku.title,
      uri: sku.linkedParts?.find((/** @type {any} */ linked) => linked.part?.thumbnailUri)?.part.thumbnailUri,
      facts: [
        sku.sku,
        many(sku.linkedParts?.length ?? 0, "{count} part", "{count} parts"),
        sku.totalCogs > 0 && t("costs {amount}", { amount: money(sku.totalCogs) }),
      ],
    }),
    empty: () => html`${t("No SKU yet: a product, and the parts to print for one of it. A part's page makes one.")}`,
  },
};

/**
 * Where one is among the folders, and what may be done with this one.
 * @param {{ type: any, folders: any, id: string, again: (...given: any[]) => any }} props
 */
function Folders({ type, folders, id, again }) {
  const [naming, setNaming] = useState("");
  const by = new Map(folders.map((/** @type {any} */ each) => [each.id, each]));
  const line = [];
  for (let at = by.get(id); at && line.length < 50; at = by.get(at.parentId)) {
    line.unshift(at);
  }
  const inside = folders.filter((/** @type {any} */ each) => (each.parentId ?? "") === (id ?? ""));
  const { plural } = SHELVES[type];
  const done = (/** @type {any} */ promise) => promise.then((/** @type {any} */ good) => (good && setNaming(""), again()));
  return html`<nav class="crumbs" aria-label=${t("Folders")}>
      <a href=${`/console/${SHELVES[type].path}`} aria-current=${id ? undefined : "location"}>${plural}</a>
      ${line.map((each) => html`<span key=${each.id}> / <a href=${`/console/${SHELVES[type].path}?folder=${each.id}`} aria-current=${each.id === id ? "location" : undefined}>${each.name}</a></span>`)}
      ${
        naming === "new"
          ? html`<${Naming} label=${t("Name of the folder")} word=${t("Create")} cancel=${() => setNaming("")} act=${(name) => done(attempt(() => post("/v1/folders", { type, name, parentId: id || null }), t("Folder {name} created", { name })))} />`
          : naming === "rename"
            ? html`<${Naming} label=${t("New name of the folder")} word=${t("Rename")} value=${by.get(id)?.name} cancel=${() => setNaming("")} act=${(name) => done(attempt(() => patch("/v1/folders/rename", { id, name }), t("Renamed to {name}", { name })))} />`
            : html`<span class="acts">${may(`${type}.create`) && html`<button class="quiet" onClick=${() => setNaming("new")}><${Icon} name="add" />${t("Folder")}</button>`}
          ${id && may(`${type}.edit`) && html`<button class="quiet" onClick=${() => setNaming("rename")}>${t("Rename")}</button>`}
          ${
            id &&
            may(`${type}.delete`) &&
            html`<${ConfirmButton} word=${t("Delete")} ask=${() => ({ title: t("Delete the folder {name}?", { name: by.get(id)?.name ?? "" }) })} kind="quiet" act=${() =>
              attempt(() => send("DELETE", "/v1/folders/delete", { folderIds: [id], type }), t("Folder deleted"))
                .then((good) => good && go(`${SHELVES[type].path}${by.get(id)?.parentId ? `?folder=${by.get(id).parentId}` : ""}`))
                .then(again)} />`
          }</span>`
      }
    </nav>
    ${inside.length > 0 && html`<ul class="folders" aria-label=${t("Subfolders")}>${inside.map((/** @type {any} */ each) => html`<li key=${each.id}><a href=${`/console/${SHELVES[type].path}?folder=${each.id}`}><${Icon} name="folder" />${each.name}</a></li>`)}</ul>`}`;
}

/** @param {{ type: any }} props */
function Shelf({ type }) {
  const { query } = route.value;
  const shelf = SHELVES[type];
  const [text, folder, sort] = ["text", "folder", "sort"].map((name) => query.get(name) ?? "");
  const page = Math.max(0, Number(query.get("page")) || 0);
  const folders = useAnswer(`/v1/folders/by-type/${type}?sort=name&limit=1000`);
  // A text is looked for everywhere; without one a folder holds what is right in it.
  const filter = text
    ? { or: shelf.searched.map((/** @type {string} */ name) => ({ [name]: { contains: text } })) }
    : folder
      ? { folderId: folder }
      : folders.value?.length
        ? { folderId: { isNull: true } }
        : {};
  const answer = useAnswer((folders.value !== undefined || folders.problem) && `/v1/${shelf.path}/search`, {
    body: {
      filter,
      sort: (ORDERS[sort] ?? ORDERS[""]).replace("name", shelf.name),
      limit: AT_ONCE,
      offset: page * AT_ONCE,
      fields: shelf.fields,
      ...(type === "sku" && may("part.view") && { include: "linkedParts.part" }),
    },
    every: ({ data }) => (data.some((/** @type {any} */ each) => each.processingStatus === "processing") ? LOOK_EVERY : 0),
  });
  const found = answer.value?.data;
  return html`<div class="library">
    <h1 class="hidden">${shelf.plural}</h1>
    <div class="filters">
      <span class="tabs" role="group" aria-label=${t("Shelves")}>${Object.values(SHELVES)
        .filter(({ view }) => may(view))
        .map(
          ({ path, plural }) =>
            html`<a key=${path} class="tab" href=${`/console/${path}`} aria-current=${path === shelf.path ? "page" : undefined}>${plural}</a>`,
        )}</span>
      <${Search} key=${type} label=${t("Search {plural}", { plural: shelf.plural })} placeholder=${type === "sku" ? t("SKU") : t("Part")} />
      <label class="pick"><span class="hidden">${t("Order")}</span><select value=${sort} onChange=${(event) => ask({ sort: event.target.value, page: "" })}>
        <option value="">${t("Newest first")}</option><option value="oldest">${t("Oldest first")}</option><option value="name">${t("By name")}</option></select></label>
      ${type === "sku" && may("sku.create") && html`<${Import} path="/v1/skus" done=${answer.again} />`}
    </div>
    ${!text && folders.value && html`<${Folders} key=${folder} type=${type} folders=${folders.value} id=${folder} again=${folders.again} />`}
    ${answer.problem && html`<p class="problem" role="alert">${answer.problem}</p>`}
    ${
      found?.length > 0 &&
      html`<ul class="cards">${found.map((/** @type {any} */ each) => {
        const { title, uri, facts, state, failed } = shelf.of(each);
        return html`<li class="card" key=${each.id}><${Thumbnail} uri=${uri} icon=${type === "sku" ? "order" : "box"} />
        <h2 title=${title}><a href=${`/console/${shelf.path}/${each.id}`}>${title}</a></h2>
        <p class=${failed ? "problem" : ""}>${state ?? facts.filter(Boolean).join(" · ")}</p></li>`;
      })}</ul>`
    }
    ${found?.length === 0 && html`<p class="empty">${text ? t("Nothing matches “{text}”.", { text }) : folder ? t("Nothing is directly in this folder.") : page ? t("There is no such page.") : folders.value?.length ? t("All of them are in folders.") : shelf.empty()}</p>`}
    ${found === undefined && !answer.problem && html`<p class="empty">${t("Loading …")}</p>`}
    ${answer.value && html`<${Paging} meta=${answer.value.meta} page=${page} />`}
  </div>`;
}

const id = () => route.value.path.split("/")[1];

export const Parts = () => (id() ? html`<${Part} key=${id()} id=${id()} />` : html`<${Shelf} key="part" type="part" />`);
export const Skus = () => (id() ? html`<${Sku} key=${id()} id=${id()} />` : html`<${Shelf} key="sku" type="sku" />`);
