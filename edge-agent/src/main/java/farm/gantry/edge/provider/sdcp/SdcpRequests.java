package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Converts commands of the farm to the printer's own. Each value to set requires a separate request. */
record SdcpRequests(PrinterBindings bindings) {
    private static final Map<String, String> FANS =
            Map.of("part", "ModelFan", "aux", "AuxiliaryFan", "chamberFan", "BoxFan");

    private static final Map<String, Object> USUAL_OPTIONS = Map.of(
            "do_bed_leveling", PrinterBindings.defaultOption("Calibration_switch", false),
            "enable_timelapse", PrinterBindings.defaultOption("Tlp_Switch", false));

    record MethodCall(SdcpMethod cmd, Map<String, ?> data) {}

    List<MethodCall> convert(Command.Send send) throws Refusal {
        CommandArguments arguments = CommandArguments.of(send);
        return switch (send.command()) {
            case "set-temperature" -> List.of(temperature(arguments));
            case "set-fan" -> List.of(fan(arguments));
            case "led-control" -> List.of(light(arguments));
            case "home-axis" -> List.of(new MethodCall(SdcpMethod.HOME, Map.of("Axis", axes(arguments))));
            case "move-axis" ->
                arguments.distancesByAxis().entrySet().stream()
                        .map(move ->
                                new MethodCall(SdcpMethod.MOVE, Map.of("Axis", move.getKey(), "Step", move.getValue())))
                        .toList();
            default -> throw new Refusal("SDCP printers have no command " + send.command());
        };
    }

    /** Returns the path of an uploaded file. */
    static String path(String fileName) {
        return "/local/" + fileName;
    }

    /** Returns the request to start a file with the options chosen for the print. */
    MethodCall start(String fileName, Map<String, Object> chosen) {
        Map<String, Object> start = new HashMap<>();
        bindings.resolveOptions(chosen, USUAL_OPTIONS)
                .forEach((field, value) -> start.put(field, Boolean.TRUE.equals(value) ? 1 : 0));
        start.put("Filename", path(fileName));
        start.put("StartLayer", 0);
        start.put("PrintPlatformType", 0);
        return new MethodCall(SdcpMethod.START, start);
    }

    private MethodCall temperature(CommandArguments arguments) throws Refusal {
        long degrees = Math.round(arguments.requireNumber("temperature"));
        String type = arguments.textOrDefault("type", "");
        String field = switch (type) {
            case "nozzle" -> bindings.componentProperty("nozzle0", "field", "TempTargetNozzle");
            case "bed" -> bindings.componentProperty("bed", "field", "TempTargetHotbed");
            default -> bindings.componentProperty(type, "field", "");
        };
        if (field.isEmpty() || arguments.extruderIndex() != 0) {
            throw new Refusal("unknown heater: " + type);
        }
        return new MethodCall(SdcpMethod.SET, Map.of(field, degrees));
    }

    private MethodCall fan(CommandArguments arguments) throws Refusal {
        String field = bindings.fanProperty(arguments, "field", FANS);
        return new MethodCall(
                SdcpMethod.SET, Map.of("TargetFanSpeed", Map.of(field, Math.round(arguments.requirePercent("speed")))));
    }

    private MethodCall light(CommandArguments arguments) {
        String field = bindings.componentProperty(arguments.textOrDefault("light", "light"), "field", "SecondLight");
        return new MethodCall(
                SdcpMethod.SET,
                Map.of("LightStatus", Map.of(field, arguments.isOn("state"), "RgbLight", List.of(0, 0, 0))));
    }

    private static String axes(CommandArguments arguments) throws Refusal {
        List<String> axes = arguments.axesToHome();
        return axes.isEmpty() ? "XYZ" : String.join("", axes);
    }
}
