// The makes of printers.

/** @type {Record<string, string>} The names of the makes by provider. */
export const MAKE_NAMES = {
  vendorA: "Bambu Lab",
  firmwareK: "Klipper (Moonraker)",
  vendorP: "Prusa (PrusaLink)",
  vendorB: "OctoPrint",
  sdcp: "Elegoo (SDCP)",
  "elegoo-mqtt": "Elegoo (MQTT)",
  anycubic: "Anycubic",
};
