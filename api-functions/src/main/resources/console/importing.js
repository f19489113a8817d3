// Importing a table: the farm checks the whole file and names every faulty cell before it stores all of it or nothing.
import { html } from "./html.js";
import { send } from "./api.js";
import { attempt, reason, useOnce } from "./requests.js";
import { confirm } from "./confirm.js";
import { number } from "./format.js";
import { Icon } from "./icons.js";
import { fieldProblem } from "./names.js";
import { say } from "./toast.js";
import { many, t } from "./texts.js";

/**
 * Asks for a CSV file and imports its records at the `path` of their list; `done` is called after that.
 * @param {{ path: string, done: () => unknown }} props
 */
export function Import({ path, done }) {
  const store = (/** @type {File} */ file) =>
    attempt(
      () => send("POST", `${path}/import`, file),
      ({ count }) => many(count, "{count} record imported", "{count} records imported"),
    ).then((good) => good && done());
  const { busy, once } = useOnce((/** @type {File} */ file) =>
    send("POST", `${path}/import?dryRun=true`, file).then(
      ({ count }) =>
        confirm({
          title: t("Import {name}?", { name: file.name }),
          facts: [[t("New records"), number(count)]],
          word: t("Import"),
          kind: "primary",
          act: () => store(file),
        }),
      (problem) =>
        problem.details?.length
          ? confirm({
              title: t("{name} cannot be imported", { name: file.name }),
              facts: problem.details.map((/** @type {FieldFault} */ fault) => [fault.path || t("File"), fieldProblem(fault)]),
              note: t("Nothing was stored. Correct the file and choose it again."),
              keep: t("Close"),
            })
          : say(reason(problem), true),
    ),
  );
  return html`<label class="file plain"><input type="file" accept=".csv,.tsv,text/csv" disabled=${busy} onChange=${({ target }) => {
    once(target.files[0]);
    target.value = "";
  }} /><span><${Icon} name="add" />${t("Import CSV …")}</span></label>`;
}
