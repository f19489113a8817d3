import assert from "node:assert/strict";
import { test } from "node:test";
import { helpFor, helpPage } from "../../../../main/resources/console/faulthelp.js";

test("words that explain nothing become a sentence with a next step", () => {
  assert.equal(helpFor("Connection refused").says, "The printer refuses the connection.");
  assert.match(helpFor("the printer has nothing to say").tries, /serial number/);
  assert.equal(helpFor("MCU 'mcu' shutdown: Timer too close").says, "MCU 'mcu' shutdown: Timer too close");
  assert.match(helpFor("MCU 'mcu' shutdown: Timer too close").tries, /restart the firmware/);
  assert.match(helpFor("0300-8012").tries, /own screen/);
});

test("a make leads to its page of the documentation", () => {
  assert.equal(helpPage("firmwareK"), "/docs/printers/klipper");
});
