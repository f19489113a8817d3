package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.wire.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A person's commands as the printer's own. */
record Orders(Bindings bindings) {
    private static final int FULL = 255;
    private static final int NO_TARGET = 255;

    /** An order to one part of the printer; a number is added where it is sent. */
    record Order(String part, Map<String, Object> message) {

        static Order print(String command, Map<String, Object> more) {
            Map<String, Object> message = new LinkedHashMap<>(more);
            message.put("command", command);
            return new Order("print", message);
        }
    }

    Order of(Command.Send send) throws Refusal {
        Map<String, Object> arguments = send.arguments();
        return switch (send.command()) {
            case "gcode" -> gcode(lines(arguments));
            case "set-temperature" -> gcode(temperature(arguments));
            case "set-fan" -> gcode(fan(arguments));
            case "led-control" -> light(arguments);
            case "skip-objects" -> skip(Tree.list(arguments, "objectIds"));
            case "home-axis" -> gcode("G28" + axes(arguments));
            case "move-axis" -> gcode(move(arguments));
            case "select-tool" ->
                gcode(bindings.gcode(
                        "selectTool",
                        "T{toolIndex}",
                        Map.of("toolIndex", String.valueOf(integer(arguments, "toolIndex")))));
            case "extrude-filament" -> gcode("M83\nG1 E" + decimal(arguments, "amount") + " F300");
            case "load-filament" -> change(integer(arguments, "targetSlot"), arguments);
            case "unload-filament" -> change(NO_TARGET, arguments);
            case "refresh-slot" ->
                Order.print(
                        "ams_get_rfid",
                        Map.of("ams_id", integer(arguments, "amsId"), "slot_id", integer(arguments, "slotId")));
            case "calibration" -> Order.print("calibration", Map.of("option", integer(arguments, "option_value")));
            default -> throw new Refusal("a printer of this make has no command " + send.command());
        };
    }

    private static Order gcode(String script) {
        return Order.print("gcode_line", Map.of("param", script + "\n"));
    }

    /** By the numbers that the sliced file gives its objects. */
    static Order skip(List<?> objects) throws Refusal {
        List<Integer> numbers = objects.stream()
                .map(String::valueOf)
                .filter(number -> number.matches("\\d{1,9}"))
                .map(Integer::valueOf)
                .toList();
        if (numbers.size() != objects.size() || numbers.isEmpty()) {
            throw new Refusal("objects are skipped by the numbers that they have in the sliced file");
        }
        return Order.print("skip_objects", Map.of("obj_list", numbers));
    }

    /** The lines, as one text or as a list of them. */
    private static String lines(Map<String, Object> arguments) {
        String text = Tree.text(arguments, "lines");
        return text != null
                ? text.strip()
                : Tree.list(arguments, "lines").stream().map(String::valueOf).collect(Collectors.joining("\n"));
    }

    private String temperature(Map<String, Object> arguments) throws Refusal {
        String degrees = decimal(arguments, "temperature");
        Integer index = Tree.integer(arguments, "extruderIndex");
        String type = String.valueOf(arguments.get("type"));
        Map<String, String> places = Map.of("temperature", degrees);
        return switch (type) {
            case "nozzle" ->
                index == null || index == 0
                        ? bindings.gcode("setNozzleTemperature", "M104 S{temperature}", places)
                        : "M104 T" + index + " S" + degrees;
            case "bed" -> bindings.gcode("setBedTemperature", "M140 S{temperature}", places);
            case "chamber" -> "M141 S" + degrees;
            default -> throw new Refusal("there is no heater " + type);
        };
    }

    private String fan(Map<String, Object> arguments) throws Refusal {
        double percent = Math.clamp(Tree.number(arguments, "speed", 0), 0, 100);
        String type = String.valueOf(arguments.getOrDefault("type", "part"));
        String fan = switch (type) {
            case "part" -> bindings.component("part", "fan", "P1");
            case "aux", "auxiliary" -> bindings.component("aux", "fan", "P2");
            case "chamber", "chamberFan" -> bindings.component("chamberFan", "fan", "P3");
            default -> bindings.component(type, "fan", "");
        };
        if (fan.isEmpty()) {
            throw new Refusal("there is no fan " + type);
        }
        String level = String.valueOf(Math.round(percent * FULL / 100));
        return bindings.gcode("setFan", "M106 {fan} S{level}", Map.of("fan", fan, "level", level));
    }

    private Order light(Map<String, Object> arguments) {
        Object state = arguments.get("state");
        boolean on = state instanceof Boolean value
                ? value
                : Stream.of("on", "true", "1").anyMatch(word -> word.equals(String.valueOf(state)));
        String light = Objects.requireNonNullElse(Tree.text(arguments, "light"), "chamberLight");
        String usual = light.toLowerCase(Locale.ROOT).contains("work") ? "work_light" : "chamber_light";
        return new Order(
                "system",
                Map.of(
                        "command",
                        "ledctrl",
                        "led_node",
                        bindings.component(light, "node", usual),
                        "led_mode",
                        on ? "on" : "off",
                        "led_on_time",
                        500,
                        "led_off_time",
                        500,
                        "loop_times",
                        1,
                        "interval_time",
                        1000));
    }

    private static Order change(int target, Map<String, Object> arguments) {
        int warm = (int) Tree.number(arguments, "targetTemp", 220);
        return Order.print(
                "ams_change_filament",
                Map.of(
                        "target",
                        target,
                        "curr_temp",
                        (int) Tree.number(arguments, "currentTemp", warm),
                        "tar_temp",
                        warm));
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

    /** Whole degrees without a point, as the printer's own G-code has them. */
    private static String decimal(Map<String, Object> arguments, String name) throws Refusal {
        double number = present(Tree.number(arguments, name), name);
        return number == Math.rint(number) ? String.valueOf(Math.round(number)) : String.valueOf(number);
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
