// Finds texts in the console's scripts that do not go through t(), rich() or many(), and compares the others with the catalogue.
// usage: node texts.mjs TYPESCRIPT SOURCES CATALOGUE [write]
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [compiler, sources, catalogue, write] = process.argv.slice(2);
const { default: ts } = await import(pathToFileURL(path.resolve(compiler)).href);

const NOT_CHECKED = ["primitives.js", "icons.js", "texts.js"]; // examples for developers, drawings, and t() itself
const TEXTS = { t: 1, rich: 1, many: 3 }; // how far the arguments are texts; the first of many() is a count
const SHOWN = /^(label|hint|word|placeholder|title|alt|note|keep|noun|says|tries|plural|aria-label|aria-description)$/;
const CODE = /^(key|value|path|icon|kind|type|href|class|className|needs|id|name|permissions|status|style)$/;
const REQUESTS =
  /^(useAnswer|get|post|patch|send|may|all|go|querySelector\w*|closest|matches|addEventListener|removeEventListener|matchMedia|picture|on|import|replace|startsWith|match|getItem|setItem)$/;
/** Names of products and values of the API. */
const NAMES = new Set([
  "OrcaSlicer",
  "Bambu Studio",
  "PrusaSlicer",
  "SuperSlicer",
  "Bambu Lab",
  "Klipper (Moonraker)",
  "Prusa (PrusaLink)",
  "OctoPrint",
  "Elegoo (SDCP)",
  "Elegoo (MQTT)",
  "Anycubic",
  "Discord",
  "Slack",
  "Telegram",
  "Gotify",
  "Pushover",
  "Klipper (via Moonraker)",
  "OctoPrint Connection for Cura",
  "Wall",
  "Slicer",
  "Completed",
  "Failed",
  "Cancelled",
  "Printing",
  "Paused",
  "Files",
  "12px system-ui",
  "ApiKey {}",
  "sudo gantry-agent pair --api {} --code {}",
]);

const letters = (text) => /[A-Za-z]{2,}/.test(text.replaceAll("{}", ""));
const isEnglish = (text) =>
  letters(text) &&
  !/^[/.#]|^https?:|[&?]\w+[.\w]*=/.test(text) &&
  (/[A-Za-z]{2,}[,.;:!?…)]* [A-Za-z{(“0-9…]/.test(text) || /^[A-Z][a-z]+( …|\.|\?|:)?$/.test(text));
const plain = (node) =>
  ts.isTemplateExpression(node) ? node.head.text + node.templateSpans.map((span) => `{}${span.literal.text}`).join("") : node.text;
const isHtml = (node) => ts.isTaggedTemplateExpression(node) && node.tag.getText() === "html";
const isString = (node) => (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && !ts.isTaggedTemplateExpression(node.parent);
const isCompared = ({ parent }) =>
  (ts.isBinaryExpression(parent) && /^([!=]==|in)$/.test(parent.operatorToken.getText())) ||
  ts.isElementAccessExpression(parent) ||
  ts.isCaseClause(parent);

const found = new Map();
const faults = [];

function check(file) {
  const source = ts.createSourceFile(
    file,
    fs.readFileSync(path.join(sources, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JS,
  );
  const fault = (node, text) =>
    faults.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: put this text into t(): ${text.trim()}`);

  /** Visits a node whose value is shown ("shown"), is never shown ("code"), or either (""). */
  function visit(node, use) {
    if (ts.isImportDeclaration(node)) {
      return;
    }
    if (isHtml(node)) {
      markup(node);
    } else if (isString(node)) {
      const text = plain(node);
      if (use !== "code" && !NAMES.has(text) && !isCompared(node) && (use === "shown" ? letters(text) : isEnglish(text))) {
        fault(node, text);
      }
      (node.templateSpans ?? []).forEach((span) => visit(span.expression, use));
    } else if (ts.isCallExpression(node)) {
      const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
      const count = TEXTS[name] ?? 0;
      const first = name === "many" ? 1 : 0;
      if (count) {
        const texts = node.arguments.slice(first, count).map((argument) => argument.text);
        texts.some((text) => text === undefined)
          ? fault(node, "its text must be a literal")
          : found.set(JSON.stringify(texts), texts.length > 1 ? texts : texts[0]);
      }
      visit(node.expression, use);
      node.arguments.forEach((argument, i) => (i < count && i >= first) || visit(argument, REQUESTS.test(name) ? "code" : ""));
    } else if (ts.isConditionalExpression(node)) {
      visit(node.condition, "");
      visit(node.whenTrue, use);
      visit(node.whenFalse, use);
    } else if (ts.isBinaryExpression(node)) {
      visit(node.left, /^(\|\||\?\?|\+)$/.test(node.operatorToken.getText()) ? use : "");
      visit(node.right, use);
    } else if (ts.isPropertyAssignment(node)) {
      const name = node.name.text ?? "";
      visit(node.initializer, SHOWN.test(name) ? "shown" : CODE.test(name) && !isEnglish(node.initializer.text ?? "") ? "code" : "");
    } else if (ts.isParenthesizedExpression(node) || ts.isArrayLiteralExpression(node) || ts.isPropertyAccessExpression(node)) {
      ts.forEachChild(node, (child) => visit(child, use));
    } else {
      ts.forEachChild(node, (child) => visit(child, ""));
    }
  }

  /** Visits the text, the attributes and the expressions of a template. */
  function markup({ template }) {
    const spans = template.templateSpans ?? [];
    const raw = (template.head ?? template).rawText + spans.map((span, i) => `\0${i}\0${span.literal.rawText}`).join("");
    const part = /<code>[^<]*<\/code>|<[^<]*?>|[^<]+/gs; // what is code is no text
    const expressions = (text, use) => [...text.matchAll(/\0(\d+)\0/g)].forEach(([, i]) => visit(spans[i].expression, use));
    for (const [piece] of raw.matchAll(part)) {
      if (piece.startsWith("<code>")) {
        continue;
      }
      if (!piece.startsWith("<")) {
        letters(piece.replace(/\0\d+\0/g, "")) && fault(template, piece.replace(/\0\d+\0/g, "{}"));
        expressions(piece, "shown");
        continue;
      }
      const rest = piece.replace(/([\w-]+)=("[^"]*"|\0\d+\0)/g, (_, name, value) => {
        const shown = SHOWN.test(name);
        shown && letters(value.replace(/\0\d+\0/g, "")) && fault(template, value.replace(/\0\d+\0/g, "{}"));
        expressions(value, shown ? "shown" : CODE.test(name) ? "code" : "");
        return "";
      });
      expressions(rest, "");
    }
  }

  visit(source, "");
}

fs.readdirSync(sources)
  .filter((file) => file.endsWith(".js") && !NOT_CHECKED.includes(file))
  .sort()
  .forEach(check);
const json = `${JSON.stringify(
  [...found.values()].sort((a, b) => (String(a) < String(b) ? -1 : 1)),
  null,
  1,
)}\n`;
if (write) {
  fs.writeFileSync(catalogue, json);
} else if (!fs.existsSync(catalogue) || fs.readFileSync(catalogue, "utf8") !== json) {
  faults.push(`${catalogue} is not the list of all texts: write it with infra/test ConsoleSourcesTest -Dtexts=write`);
}
faults.length && console.error(faults.join("\n"));
process.exit(faults.length ? 1 : 0);
