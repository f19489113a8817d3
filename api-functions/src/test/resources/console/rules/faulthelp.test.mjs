import assert from "node:assert/strict";
import { test } from "node:test";
import { helpFor, helpPage } from "../../../../main/resources/console/faulthelp.js";

test("words that explain nothing become a sentence with a next step", () => {
  assert.equal(helpFor("Connection refused").says, "The printer refuses the connection.");
  assert.equal(helpFor("the printer refuses the connection: check that network access is on").says, "The printer refuses the connection.");
  assert.match(helpFor("the printer does not respond: check that it is switched on").tries, /keeps trying/);
  assert.match(helpFor("the printer has sent no status: restart it").tries, /serial number/);
  assert.match(helpFor("the printer's host name is unknown: check its address").tries, /IP address/);
  assert.equal(helpFor("MCU 'mcu' shutdown: Timer too close").says, "MCU 'mcu' shutdown: Timer too close");
  assert.match(helpFor("MCU 'mcu' shutdown: Timer too close").tries, /restart the firmware/);
  assert.match(helpFor("0300-8012").tries, /own screen/);
});

test("a make leads to its page of the documentation", () => {
  assert.equal(helpPage("firmwareK"), "/docs/printers/klipper");
});
