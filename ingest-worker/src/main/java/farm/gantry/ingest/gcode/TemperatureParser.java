package farm.gantry.ingest.gcode;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The highest temperatures that a G-code sets, in °C; 0 where it sets none. */
final class TemperatureParser {
    private static final String SET_HEATER = "SET_HEATER_TEMPERATURE";
    private static final Pattern TARGET = Pattern.compile("TARGET=([0-9]{1,6}(?:\\.[0-9]{1,6})?)");

    private double nozzle;
    private double bed;

    double nozzle() {
        return nozzle;
    }

    double bed() {
        return bed;
    }

    void setNozzle(double celsius) {
        nozzle = Math.max(nozzle, celsius);
    }

    void setBed(double celsius) {
        bed = Math.max(bed, celsius);
    }

    /** Reads Klipper's {@code SET_HEATER_TEMPERATURE HEATER=extruder TARGET=200}; ignores other lines. */
    void parseMacro(String line) {
        String upper = line.toUpperCase(Locale.ROOT);
        if (!upper.startsWith(SET_HEATER)) {
            return;
        }
        Matcher target = TARGET.matcher(upper);
        double celsius = target.find() ? Double.parseDouble(target.group(1)) : 0;
        if (upper.contains("HEATER=HEATER_BED")) {
            setBed(celsius);
        } else if (upper.contains("HEATER=EXTRUDER")) {
            setNozzle(celsius);
        }
    }
}
