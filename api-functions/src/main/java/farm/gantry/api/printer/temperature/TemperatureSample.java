package farm.gantry.api.printer.temperature;

import farm.gantry.printer.PrinterState.Temperature;
import java.time.Instant;
import java.util.SortedMap;

/** The temperatures of a printer's heaters at one time, by the heater's name, in °C. */
record TemperatureSample(Instant at, SortedMap<String, Temperature> heaters) {}
