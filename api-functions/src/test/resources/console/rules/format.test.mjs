import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, clock, duration, formatFor, fromField, moment, money, toField } from "../../../../main/resources/console/format.js";

const EARLY = "2026-03-29T00:59:00Z"; // one minute before Berlin's clocks go from 2:00 to 3:00

test("times are those of the store, and its zone is named where the reader's clock differs", () => {
  formatFor({ timezone: "Pacific/Chatham", currency: "EUR" });
  const text = moment("2026-06-01T12:00:00Z");
  assert.match(text, /12:45|00:45|0:45/);
  assert.match(text, / (GMT\+12:45|CHAST)$/);
});

test("no zone is named where the reader is in it", () => {
  formatFor({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, currency: "EUR" });
  assert.doesNotMatch(moment("2026-06-01T12:00:00Z"), /GMT|UTC$/);
  assert.equal(moment("2026-06-01T12:00:00Z").includes(clock("2026-06-01T12:00:00Z")), true);
});

test("a field for a time has the store's time of day, also when clocks change", () => {
  formatFor({ timezone: "Europe/Berlin", currency: "EUR" });
  assert.equal(toField(EARLY), "2026-03-29T01:59");
  assert.equal(fromField("2026-03-29T01:59"), "2026-03-29T00:59:00.000Z");
  assert.equal(fromField("2026-03-29T03:00"), "2026-03-29T01:00:00.000Z");
  assert.equal(fromField("2026-10-25T04:00"), "2026-10-25T03:00:00.000Z");
});

test("amounts have a currency, and an unknown one is no price", () => {
  formatFor({ timezone: "UTC", currency: "EUR" });
  assert.match(money(45), /€/);
  assert.match(money(1000, "USD"), /\$/);
  assert.equal(money(null), "no price");
  assert.equal(money(NaN), "no price");
});

test("durations are short", () => {
  assert.deepEqual([duration(20), duration(1740), duration(5700), duration(3 * 86_400)], ["< 1 min", "29 min", "1 h 35", "3 d"]);
  assert.equal(ago(5000), "5 s");
});
