// How far the reading of a part's file is: its stage, or its place in line.
import { html } from "./html.js";
import { useAnswer } from "./requests.js";
import { STAGES } from "./names.js";

const LOOK_EVERY = 4000;

/** How many files came before this one and are not read yet. */
function Place({ part }) {
  const { value } = useAnswer(`/v1/parts?processingStatus=processing&createdAt.lt=${encodeURIComponent(part.createdAt)}&fields=id&limit=100`, { every: () => LOOK_EVERY });
  return value ? html`Waiting to be read: ${value.length ? `${value.length === 100 ? "100 or more" : value.length} ${value.length === 1 ? "file" : "files"} before it` : "next in line"}` : "Waiting to be read";
}

export function Reading({ part }) {
  const stages = part.processing?.stages ?? [];
  const at = stages.findIndex((stage) => stage.status === "running");
  const done = stages.filter((stage) => stage.status === "done" || stage.status === "skipped").length;
  if (at < 0 && !done) {
    return html`<${Place} part=${part} />`;
  }
  const { key } = stages[Math.max(at, Math.min(done, stages.length - 1))];
  return html`${STAGES[key] ?? "Reading the file"} (step ${Math.max(at, Math.min(done, stages.length - 1)) + 1} of ${stages.length}) …`;
}
