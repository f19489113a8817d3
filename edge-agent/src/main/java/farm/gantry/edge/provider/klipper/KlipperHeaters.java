package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.connection.Temperatures;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maps Klipper's heaters and sensors to the farm's names for them. */
final class KlipperHeaters {
    private static final List<HeaterName> ROWS = List.of(
            new HeaterName(Pattern.compile("extruder(\\d*)"), "nozzle"),
            new HeaterName(Pattern.compile("heater_bed()"), "bed"),
            new HeaterName(
                    Pattern.compile("(?i)(?:heater_generic|temperature_fan|temperature_sensor) .*chamber.*?()"),
                    "chamber"));

    private KlipperHeaters() {}

    private record HeaterName(Pattern object, String name) {}

    static boolean isHeater(String object) {
        return ROWS.stream().anyMatch(row -> row.object().matcher(object).matches());
    }

    static Map<String, Temperature> readTemperatures(Map<String, Map<String, Object>> objects) {
        Temperatures temperatures = new Temperatures();
        objects.forEach((name, fields) -> ROWS.forEach(row -> {
            Matcher matcher = row.object().matcher(name);
            if (matcher.matches()) {
                temperatures.with(
                        row.name() + matcher.group(1),
                        Tree.number(fields, "temperature"),
                        Tree.number(fields, "target"));
            }
        }));
        return temperatures.byHeater();
    }
}
