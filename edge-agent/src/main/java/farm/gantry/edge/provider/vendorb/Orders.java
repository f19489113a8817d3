package farm.gantry.edge.provider.vendorb;

import farm.gantry.edge.http.Request;
import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.wire.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A person's commands as OctoPrint's own. */
final class Orders {
    private static final double FULL_FAN = 255;

    private Orders() {}

    static Request of(Command.Send send) throws Refusal {
        Map<String, Object> arguments = send.arguments();
        return switch (send.command()) {
            case "gcode" -> gcode(lines(arguments));
            case "set-temperature" -> temperature(arguments);
            case "set-fan" -> fan(arguments);
            case "home-axis" -> printer("printhead", "home", Map.of("axes", axes(arguments)));
            case "move-axis" -> printer("printhead", "jog", moves(arguments));
            case "select-tool" -> printer("tool", "select", Map.of("tool", "tool" + index(arguments, "toolIndex")));
            case "extrude-filament" -> printer("tool", "extrude", Map.of("amount", number(arguments, "amount")));
            default -> throw new Refusal("OctoPrint has no command " + send.command());
        };
    }

    private static Request printer(String part, String command, Map<String, ?> more) {
        Map<String, Object> order = new LinkedHashMap<>(more);
        order.put("command", command);
        return Request.post("/api/printer/" + part, order);
    }

    private static Request gcode(List<String> lines) {
        return Request.post("/api/printer/command", Map.of("commands", lines));
    }

    /** One text or a list of lines. */
    private static List<String> lines(Map<String, Object> arguments) {
        String text = Tree.text(arguments, "lines");
        return text != null
                ? text.strip().lines().toList()
                : Tree.list(arguments, "lines").stream().map(String::valueOf).toList();
    }

    private static Request temperature(Map<String, Object> arguments) throws Refusal {
        double target = number(arguments, "temperature");
        String type = String.valueOf(arguments.get("type"));
        return switch (type) {
            case "nozzle" -> {
                Integer index = Tree.integer(arguments, "extruderIndex");
                String tool = "tool" + (index == null ? 0 : index);
                yield printer("tool", "target", Map.of("targets", Map.of(tool, target)));
            }
            case "bed", "chamber" -> printer(type, "target", Map.of("target", target));
            default -> throw new Refusal("there is no heater " + type);
        };
    }

    private static Request fan(Map<String, Object> arguments) throws Refusal {
        String type = String.valueOf(arguments.getOrDefault("type", "part"));
        if (!type.equals("part")) {
            throw new Refusal("there is no fan " + type);
        }
        double percent = Math.clamp(number(arguments, "speed"), 0, 100);
        return gcode(List.of("M106 S" + Math.round(percent * FULL_FAN / 100)));
    }

    /** All of them where none is named. */
    private static List<String> axes(Map<String, Object> arguments) throws Refusal {
        Object told = arguments.get("axes");
        List<?> list = told instanceof String text ? List.of(text.split("")) : Tree.list(arguments, "axes");
        for (Object axis : list) {
            checkAxis(String.valueOf(axis));
        }
        return list.isEmpty()
                ? List.of("x", "y", "z")
                : list.stream()
                        .map(axis -> String.valueOf(axis).toLowerCase(Locale.ROOT))
                        .toList();
    }

    private static Map<String, Object> moves(Map<String, Object> arguments) throws Refusal {
        Map<String, Object> moves = new LinkedHashMap<>();
        for (Map.Entry<String, Object> axis : Tree.object(arguments, "axes").entrySet()) {
            checkAxis(axis.getKey());
            if (!(axis.getValue() instanceof Number)) {
                throw new Refusal("a move is {axis: millimetres}, not " + axis);
            }
            moves.put(axis.getKey().toLowerCase(Locale.ROOT), axis.getValue());
        }
        return moves;
    }

    private static void checkAxis(String axis) throws Refusal {
        if (!axis.matches("[xyzXYZ]")) {
            throw new Refusal("there is no axis " + axis);
        }
    }

    private static int index(Map<String, Object> arguments, String name) throws Refusal {
        return present(Tree.integer(arguments, name), name);
    }

    private static double number(Map<String, Object> arguments, String name) throws Refusal {
        return present(Tree.number(arguments, name), name);
    }

    private static <T> T present(@Nullable T value, String name) throws Refusal {
        if (value == null) {
            throw new Refusal(name + " must be a number");
        }
        return value;
    }
}
