import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped } from "../../../../main/resources/console/groups.js";
import { between } from "../../../../main/resources/console/windows.js";

const job = (id, more) => ({ id, partBuildId: "b", status: "Pending", priority: 100, queueOrder: Number(id), ...more });

test("jobs of one build are one row, wherever they print", () => {
  const rows = grouped([
    job("1", { status: "Printing", assignedPrinterId: "p" }),
    job("2", { status: "Sending-to-printer", assignedPrinterId: "q" }),
    job("3"),
    job("4"),
    job("5", { status: "Failed" }),
    job("6", { partBuildId: "c" }),
    job("7", { status: "Completed" }),
    job("8", { status: "Failed", hidden: true }),
    job("9", { priority: 1000 }),
  ]);
  assert.deepEqual(
    rows.map(({ list }) => list.map(({ id }) => id)),
    [["1", "2"], ["3", "4"], ["5"], ["6"], ["9"]],
  );
});

test("only the rows near the screen are drawn", () => {
  const heights = Array.from({ length: 1000 }, () => 60);
  assert.deepEqual(between(heights, 6000, 6600), [99, 110]);
  assert.deepEqual(between(heights, -500, 0), [0, 0]);
  assert.deepEqual(between([100, 20, 20], 90, 130), [0, 3]);
});
