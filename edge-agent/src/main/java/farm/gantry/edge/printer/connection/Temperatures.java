package farm.gantry.edge.printer.connection;

import farm.gantry.printer.PrinterState.Temperature;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects the temperatures of a printer's heaters, in °C. A heater without a sensor is omitted; a heater without a
 * target is off.
 */
public final class Temperatures {
    private final Map<String, Temperature> byHeater = new TreeMap<>();

    public Temperatures with(String heater, @Nullable Double actual, @Nullable Double target) {
        if (actual != null) {
            byHeater.put(heater, new Temperature(actual, target == null ? 0 : target));
        }
        return this;
    }

    public Map<String, Temperature> byHeater() {
        return byHeater;
    }
}
