import assert from "node:assert/strict";
import { test } from "node:test";
import { firstOf, many, rich, t } from "../../../../main/resources/console/texts.js";

test("values replace their names, also twice and at the ends", () => {
  assert.equal(t("{name} moved before {next}: {name}", { name: "Hinge", next: "Lamp" }), "Hinge moved before Lamp: Hinge");
  assert.equal(t("Save"), "Save");
});

test("a value with braces or a dollar sign is shown as it is", () => {
  assert.equal(t("Renamed to {name}", { name: "$& {name}" }), "Renamed to $& {name}");
});

test("elements in a text stay elements", () => {
  const link = { type: "a" };
  assert.deepEqual(rich("{pair} first.", { pair: link }), ["", link, " first."]);
});

test("a count has its singular, its plural and its other values", () => {
  const cancelled = (count) => many(count, "{name}: {count} job cancelled", "{name}: {count} jobs cancelled", { name: "Hinge" });
  assert.deepEqual([1, 0, 2].map(cancelled), ["Hinge: 1 job cancelled", "Hinge: 0 jobs cancelled", "Hinge: 2 jobs cancelled"]);
});

test("of a long list, the first names and the number of the others are shown", () => {
  assert.equal(firstOf(["A", "B", "C"], 2), "A, B and 1 more");
  assert.equal(firstOf(["A", "B"], 2), "A, B");
});
