package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.Gcode;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Converts commands of the farm to OctoPrint's own. */
record OctoPrintCommands(PrinterBindings bindings) {

    PrinterRequest convert(Command.Send send) throws Refusal {
        CommandArguments arguments = CommandArguments.of(send);
        return switch (send.command()) {
            case "gcode" -> gcode(arguments.gcodeLines());
            case PrinterConnection.EMERGENCY_STOP -> gcode(List.of("M112"));
            case "set-temperature" -> temperature(arguments);
            case "set-fan" -> fan(arguments);
            case "led-control" -> light(arguments);
            case "home-axis" -> printer("printhead", "home", Map.of("axes", axesToHome(arguments)));
            case "move-axis" -> printer("printhead", "jog", moves(arguments));
            case "select-tool" ->
                printer("tool", "select", Map.of("tool", "tool" + arguments.requireInteger("toolIndex")));
            case "extrude-filament" -> printer("tool", "extrude", Map.of("amount", arguments.requireNumber("amount")));
            default -> throw new Refusal("OctoPrint has no command " + send.command());
        };
    }

    private static PrinterRequest printer(String part, String command, Map<String, ?> more) {
        Map<String, Object> order = new LinkedHashMap<>(more);
        order.put("command", command);
        return PrinterRequest.post("/api/printer/" + part, order);
    }

    private static PrinterRequest gcode(List<String> lines) {
        return PrinterRequest.post("/api/printer/command", Map.of("commands", lines));
    }

    private static PrinterRequest temperature(CommandArguments arguments) throws Refusal {
        double target = arguments.requireNumber("temperature");
        String type = arguments.textOrDefault("type", "");
        return switch (type) {
            case "nozzle" -> {
                String tool = "tool" + arguments.extruderIndex();
                yield printer("tool", "target", Map.of("targets", Map.of(tool, target)));
            }
            case "bed", "chamber" -> printer(type, "target", Map.of("target", target));
            default -> throw new Refusal("unknown heater: " + type);
        };
    }

    private static PrinterRequest fan(CommandArguments arguments) throws Refusal {
        String type = arguments.textOrDefault("type", "part");
        if (!type.equals("part")) {
            throw new Refusal("unknown fan: " + type);
        }
        return gcode(List.of("M106 S" + Gcode.fanLevel(arguments.requirePercent("speed"))));
    }

    private PrinterRequest light(CommandArguments arguments) throws Refusal {
        String light = arguments.textOrDefault("light", "light");
        boolean on = arguments.isOn("state");
        String gcode = bindings.componentGcode(light, Map.of("value", on ? "1" : "0", "level", on ? "255" : "0"));
        if (gcode.isBlank()) {
            throw new Refusal("the printer's bindings have no G-code for light " + light);
        }
        return gcode(gcode.lines().toList());
    }

    /** Returns the axes to home; OctoPrint requires all names. */
    private static List<String> axesToHome(CommandArguments arguments) throws Refusal {
        List<String> axes = arguments.axesToHome();
        return (axes.isEmpty() ? List.of("X", "Y", "Z") : axes)
                .stream().map(axis -> axis.toLowerCase(Locale.ROOT)).toList();
    }

    private static Map<String, Object> moves(CommandArguments arguments) throws Refusal {
        Map<String, Object> moves = new LinkedHashMap<>();
        arguments
                .distancesByAxis()
                .forEach((axis, millimetres) -> moves.put(axis.toLowerCase(Locale.ROOT), millimetres));
        return moves;
    }
}
