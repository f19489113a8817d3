import assert from "node:assert/strict";
import { test } from "node:test";
import { hasPrint, secondsLeft } from "../../../../main/resources/console/progress.js";

const AT = "2026-01-01T12:00:00Z";
const LATER = Date.parse(AT) + 1_200_000;

test("the time left of a print passes only while it prints", () => {
  assert.equal(secondsLeft({ status: "printing", at: AT, job: { remainingSeconds: 1980 } }, LATER), 780);
  assert.equal(secondsLeft({ status: "paused", at: AT, job: { remainingSeconds: 1980 } }, LATER), 1980);
  assert.equal(secondsLeft({ status: "printing", at: AT, job: { remainingSeconds: 60 } }, LATER), 0);
  assert.equal(secondsLeft({ status: "printing", at: AT, job: { remainingSeconds: null } }, LATER), null);
});

test("a printer that is done or ready shows no progress, though it keeps that of its last print", () => {
  assert.deepEqual(["printing", "paused", "fault", "clear", "ready", "offline", "off"].map(hasPrint), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
