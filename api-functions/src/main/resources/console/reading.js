// How far the reading of a part's file is: its stage, or its place in line.
import { html } from "./html.js";
import { useAnswer } from "./requests.js";
import { STAGES } from "./names.js";
import { many, t } from "./texts.js";

const LOOK_EVERY = 4000;
const MAX_AHEAD = 100;

/**
 * How many files came before this one and are not read yet.
 * @param {{ part: Part }} props
 */
function Place({ part }) {
  const { value } = useAnswer(
    `/v1/parts?processingStatus=processing&createdAt.lt=${encodeURIComponent(part.createdAt)}&fields=id&limit=${MAX_AHEAD}`,
    { every: () => LOOK_EVERY },
  );
  return value
    ? !value.length
      ? t("Waiting to be read: next in line")
      : value.length === MAX_AHEAD
        ? t("Waiting to be read: {count} or more files before it", { count: MAX_AHEAD })
        : many(value.length, "Waiting to be read: {count} file before it", "Waiting to be read: {count} files before it")
    : t("Waiting to be read");
}

/** @param {{ part: Part }} props */
export function Reading({ part }) {
  const stages = part.processing?.stages ?? [];
  const at = stages.findIndex((/** @type {any} */ stage) => stage.status === "running");
  const done = stages.filter((/** @type {any} */ stage) => stage.status === "done" || stage.status === "skipped").length;
  if (at < 0 && !done) {
    return html`<${Place} part=${part} />`;
  }
  const { key } = stages[Math.max(at, Math.min(done, stages.length - 1))];
  return t("{stage} (step {at} of {count}) …", {
    stage: STAGES[key] ?? t("Reading the file"),
    at: Math.max(at, Math.min(done, stages.length - 1)) + 1,
    count: stages.length,
  });
}
