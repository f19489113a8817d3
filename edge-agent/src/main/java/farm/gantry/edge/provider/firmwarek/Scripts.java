package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.wire.Command;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A person's commands as G-code that Klipper understands. {@code objects} are the ones the printer has. */
record Scripts(List<String> objects) {
    private static final String WORD = "[A-Za-z0-9_.-]+";

    /** The script; empty when there is nothing to run. */
    String of(Command.Send send) throws Refusal {
        Map<String, Object> arguments = send.arguments();
        return switch (send.command()) {
            case "gcode" -> lines(arguments);
            case "set-temperature" -> temperature(arguments);
            case "set-fan" -> fan(arguments);
            case "led-control" -> light(arguments);
            case "skip-objects" ->
                Tree.list(arguments, "objectIds").stream()
                        .map(id -> "EXCLUDE_OBJECT NAME=" + String.valueOf(id).replaceAll("\\s", "_"))
                        .collect(Collectors.joining("\n"));
            case "home-axis" -> "G28" + axes(arguments);
            case "move-axis" -> move(arguments);
            case "select-tool" -> "T" + integer(arguments, "toolIndex");
            case "extrude-filament" -> "M83\nG1 E" + decimal(arguments, "amount") + " F300";
            case "load-filament" -> targetTemperature(arguments) + "LOAD_FILAMENT";
            case "unload-filament" -> "UNLOAD_FILAMENT";
            case "calibration" -> calibration(arguments);
            case "resync-data" -> "";
            default -> throw new Refusal("a Klipper printer has no command " + send.command());
        };
    }

    /** The lines, as one text or as a list of them. */
    private static String lines(Map<String, Object> arguments) {
        String text = Tree.text(arguments, "lines");
        return text != null
                ? text
                : Tree.list(arguments, "lines").stream().map(String::valueOf).collect(Collectors.joining("\n"));
    }

    private String temperature(Map<String, Object> arguments) throws Refusal {
        String degrees = decimal(arguments, "temperature");
        Integer index = Tree.integer(arguments, "extruderIndex");
        return switch (String.valueOf(arguments.get("type"))) {
            case "nozzle" -> heater(index == null || index == 0 ? "extruder" : "extruder" + index, degrees);
            case "bed" -> heater("heater_bed", degrees);
            case "chamber" -> heater(named("heater_generic", "chamber", "chamber"), degrees);
            default -> throw new Refusal("there is no heater " + arguments.get("type"));
        };
    }

    private static String heater(String name, String degrees) {
        return "SET_HEATER_TEMPERATURE HEATER=" + name + " TARGET=" + degrees;
    }

    /** Klipper's part fan by M106, any other by its name. */
    private String fan(Map<String, Object> arguments) throws Refusal {
        double percent = Math.clamp(Tree.number(arguments, "speed", 0), 0, 100);
        String type = String.valueOf(arguments.getOrDefault("type", "part"));
        String other = named("fan_generic", type, "");
        return other.isEmpty()
                ? "M106 S" + Math.round(percent * 255 / 100)
                : "SET_FAN_SPEED FAN=" + other + " SPEED=" + percent / 100;
    }

    private String light(Map<String, Object> arguments) throws Refusal {
        Object state = arguments.get("state");
        boolean on = state instanceof Boolean value
                ? value
                : Stream.of("on", "true", "1").anyMatch(word -> word.equals(String.valueOf(state)));
        String wanted = String.valueOf(arguments.getOrDefault("light", "light")).toLowerCase(Locale.ROOT);
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

    private static String axes(Map<String, Object> arguments) throws Refusal {
        Object axes = arguments.get("axes");
        List<?> list = axes instanceof String text ? List.of(text.split("")) : Tree.list(arguments, "axes");
        for (Object axis : list) {
            if (!String.valueOf(axis).matches("[xyzXYZ]")) {
                throw new Refusal("there is no axis " + axis);
            }
        }
        return list.stream()
                .map(axis -> " " + String.valueOf(axis).toUpperCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    private static String move(Map<String, Object> arguments) throws Refusal {
        StringBuilder script = new StringBuilder("G91\nG1");
        for (Map.Entry<String, Object> axis : Tree.object(arguments, "axes").entrySet()) {
            if (!axis.getKey().matches("[xyzXYZ]") || !(axis.getValue() instanceof Number distance)) {
                throw new Refusal("a move is {axis: millimetres}, not " + axis);
            }
            script.append(' ').append(axis.getKey().toUpperCase(Locale.ROOT)).append(distance);
        }
        return script + " F3000\nG90";
    }

    private static String targetTemperature(Map<String, Object> arguments) {
        Double target = Tree.number(arguments, "targetTemp");
        return target == null ? "" : "M109 S" + target + "\n";
    }

    private static String calibration(Map<String, Object> arguments) throws Refusal {
        String option = Tree.text(arguments, "option_value");
        if (option == null || !option.matches(WORD)) {
            throw new Refusal("a calibration is named by one word in option_value");
        }
        return option.toUpperCase(Locale.ROOT);
    }

    private static String decimal(Map<String, Object> arguments, String name) throws Refusal {
        return String.valueOf(present(Tree.number(arguments, name), name));
    }

    private static int integer(Map<String, Object> arguments, String name) throws Refusal {
        return present(Tree.integer(arguments, name), name);
    }

    private static <T> T present(@Nullable T value, String name) throws Refusal {
        if (value == null) {
            throw new Refusal(name + " must be a number");
        }
        return value;
    }
}
