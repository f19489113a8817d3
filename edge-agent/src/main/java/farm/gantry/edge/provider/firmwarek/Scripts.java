package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Arguments;
import farm.gantry.edge.printer.Gcode;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.wire.Command;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A person's commands as G-code that Klipper understands. {@code objects} are the ones the printer has. */
record Scripts(List<String> objects) {
    private static final String WORD = "[A-Za-z0-9_.-]+";

    /** The script; empty when there is nothing to run. */
    String of(Command.Send send) throws Refusal {
        Arguments arguments = Arguments.of(send);
        return switch (send.command()) {
            case "gcode" -> String.join("\n", arguments.lines());
            case "set-temperature" -> temperature(arguments);
            case "set-fan" -> fan(arguments);
            case "led-control" -> light(arguments);
            case "skip-objects" ->
                arguments.list("objectIds").stream()
                        .map(id -> "EXCLUDE_OBJECT NAME=" + String.valueOf(id).replaceAll("\\s", "_"))
                        .collect(Collectors.joining("\n"));
            case "home-axis" -> Gcode.home(arguments);
            case "move-axis" -> Gcode.move(arguments);
            case "select-tool" -> "T" + arguments.integer("toolIndex");
            case "extrude-filament" -> Gcode.extrude(arguments);
            case "load-filament" -> targetTemperature(arguments) + "LOAD_FILAMENT";
            case "unload-filament" -> "UNLOAD_FILAMENT";
            case "calibration" -> calibration(arguments);
            case "resync-data" -> "";
            default -> throw new Refusal("a Klipper printer has no command " + send.command());
        };
    }

    private String temperature(Arguments arguments) throws Refusal {
        String degrees = Gcode.decimal(arguments.number("temperature"));
        int extruder = arguments.extruder();
        String type = arguments.word("type", "");
        return switch (type) {
            case "nozzle" -> heater(extruder == 0 ? "extruder" : "extruder" + extruder, degrees);
            case "bed" -> heater("heater_bed", degrees);
            case "chamber" -> heater(named("heater_generic", "chamber", "chamber"), degrees);
            default -> throw new Refusal("there is no heater " + type);
        };
    }

    private static String heater(String name, String degrees) {
        return "SET_HEATER_TEMPERATURE HEATER=" + name + " TARGET=" + degrees;
    }

    /** Klipper's part fan by M106, any other by its name. */
    private String fan(Arguments arguments) throws Refusal {
        double percent = arguments.percent("speed");
        String other = named("fan_generic", arguments.word("type", "part"), "");
        return other.isEmpty()
                ? "M106 S" + Gcode.fanLevel(percent)
                : "SET_FAN_SPEED FAN=" + other + " SPEED=" + percent / 100;
    }

    private String light(Arguments arguments) throws Refusal {
        boolean on = arguments.isOn("state");
        String wanted = arguments.word("light", "light").toLowerCase(Locale.ROOT);
        String pin = named("output_pin", wanted, named("output_pin", "light", ""));
        if (!pin.isEmpty()) {
            return "SET_PIN PIN=" + pin + " VALUE=" + (on ? 1 : 0);
        }
        String led = Stream.of("neopixel", "led", "dotstar")
                .map(kind -> named(kind, wanted, named(kind, "", "")))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElseThrow(() -> new Refusal("the printer has no light"));
        String level = on ? "1" : "0";
        return "SET_LED LED=" + led + " RED=" + level + " GREEN=" + level + " BLUE=" + level;
    }

    /** The first object of a kind whose name has this in it, or {@code absent}. */
    private String named(String kind, String part, String absent) {
        return objects.stream()
                .filter(object -> object.startsWith(kind + " "))
                .map(object -> object.substring(kind.length() + 1))
                .filter(name -> name.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElse(absent);
    }

    private static String targetTemperature(Arguments arguments) {
        Double target = Tree.number(arguments.told(), "targetTemp");
        return target == null ? "" : "M109 S" + Gcode.decimal(target) + "\n";
    }

    private static String calibration(Arguments arguments) throws Refusal {
        String option = Tree.text(arguments.told(), "option_value");
        if (option == null || !option.matches(WORD)) {
            throw new Refusal("a calibration is named by one word in option_value");
        }
        return option.toUpperCase(Locale.ROOT);
    }
}
