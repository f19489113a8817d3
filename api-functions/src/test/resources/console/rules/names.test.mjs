import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldProblem, partType, slicer, slotName } from "../../../../main/resources/console/names.js";

test("tokens of files and slicers have the names that people know", () => {
  assert.deepEqual(
    [partType("gcode3mf"), partType("gcode"), slicer("slicer1 2.3.0"), slicer(null)],
    ["Sliced 3MF", "G-code", "OrcaSlicer 2.3.0", ""],
  );
});

test("slots are named as on the printer, and a spool without a unit is external", () => {
  assert.deepEqual(
    [slotName(0, 0), slotName(1, 3), slotName(255, 0), slotName(254, 0), slotName(-1, 0)],
    ["A1", "B4", "External spool", "External spool", "External spool"],
  );
});

test("a problem of a field does not show its path", () => {
  assert.equal(
    fieldProblem({ path: "builds.parts[0].partId", message: 'builds.parts[0].partId must match "^[a-z0-9]{24}$"' }),
    "Is missing or not valid",
  );
  assert.equal(fieldProblem({ path: "", message: "builds.parts[0].quantity must be at most 500" }), "Must be at most 500");
  assert.equal(fieldProblem({ path: "", message: "the printer does not wait in the queue" }), "The printer does not wait in the queue");
});
