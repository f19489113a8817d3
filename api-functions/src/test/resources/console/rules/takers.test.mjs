import assert from "node:assert/strict";
import { test } from "node:test";
import { inStartOrder, startsIn } from "../../../../main/resources/console/takers.js";

const names = (printers) => inStartOrder(printers).map(({ name }) => name);

test("printers are in the order in which they could start, offline ones last", () => {
  const printers = [
    { name: "A 1 offline", codes: ["online"] },
    { name: "B 2 busy for long", codes: ["available", "ready"], left: 7200 },
    { name: "C 3 busy", codes: ["available", "ready"], left: 600 },
    { name: "D 4 bed", codes: ["ready"] },
    { name: "E 10 free", codes: [] },
    { name: "E 9 free", codes: [] },
    { name: "F 5 disabled", codes: ["enabled"] },
    { name: "G 6 busy, time unknown", codes: ["available"] },
  ];
  assert.deepEqual(names(printers), [
    "E 9 free",
    "E 10 free",
    "D 4 bed",
    "C 3 busy",
    "B 2 busy for long",
    "G 6 busy, time unknown",
    "F 5 disabled",
    "A 1 offline",
  ]);
});

test("a printer that is out of reach is last, whatever else it fails", () => {
  assert.ok(startsIn(["online", "ready"], 0) > startsIn(["enabled", "in-maintenance"], 0));
});
