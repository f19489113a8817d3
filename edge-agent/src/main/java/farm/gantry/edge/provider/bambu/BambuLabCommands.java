package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.Gcode;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Converts commands of the farm to the printer's own. */
record BambuLabCommands(PrinterBindings bindings) {
    private static final int NO_TARGET = 255;
    private static final Map<String, String> FANS = Map.of("part", "P1", "aux", "P2", "chamberFan", "P3");

    /** A command to one part of the printer; a sequence number is added when it is sent. */
    record Payload(String part, Map<String, Object> message) {

        static Payload print(String command, Map<String, Object> more) {
            Map<String, Object> message = new LinkedHashMap<>(more);
            message.put("command", command);
            return new Payload("print", message);
        }
    }

    Payload convert(Command.Send send) throws Refusal {
        CommandArguments arguments = CommandArguments.of(send);
        return switch (send.command()) {
            case "gcode" -> gcodePayload(String.join("\n", arguments.gcodeLines()));
            case "set-temperature" -> gcodePayload(temperatureGcode(arguments));
            case "set-fan" -> gcodePayload(fanGcode(arguments));
            case "led-control" -> lightPayload(arguments);
            case "skip-objects" -> skipPayload(arguments.listOrEmpty("objectIds"));
            case "home-axis" -> gcodePayload(Gcode.home(arguments));
            case "move-axis" -> gcodePayload(Gcode.move(arguments));
            case "select-tool" ->
                gcodePayload(bindings.commandGcode(
                        "selectTool",
                        "T{toolIndex}",
                        Map.of("toolIndex", String.valueOf(arguments.requireInteger("toolIndex")))));
            case "extrude-filament" -> gcodePayload(Gcode.extrude(arguments));
            case "load-filament" -> changeFilamentPayload(arguments.requireInteger("targetSlot"), arguments);
            case "unload-filament" -> changeFilamentPayload(NO_TARGET, arguments);
            case "refresh-slot" ->
                Payload.print(
                        "ams_get_rfid",
                        Map.of(
                                "ams_id",
                                arguments.requireInteger("amsId"),
                                "slot_id",
                                arguments.requireInteger("slotId")));
            case "set-slot-info" ->
                Payload.print(
                        "ams_filament_setting",
                        BambuLabFilament.toFields(new CommandArguments(Tree.object(arguments.values(), "info"))));
            case "calibration" ->
                Payload.print("calibration", Map.of("option", arguments.requireInteger("option_value")));
            default -> throw new Refusal("Bambu Lab printers have no command " + send.command());
        };
    }

    private static Payload gcodePayload(String script) {
        return Payload.print("gcode_line", Map.of("param", script + "\n"));
    }

    /** Returns the command to skip objects, which are identified by their numbers in the sliced file. */
    static Payload skipPayload(List<?> objects) throws Refusal {
        List<Integer> numbers = new ArrayList<>();
        for (Object object : objects) {
            String number = String.valueOf(object);
            if (!number.matches("\\d{1,9}")) {
                throw new Refusal("unknown object " + number
                        + ": in a print that the farm did not start, use the object numbers of its sliced file");
            }
            numbers.add(Integer.valueOf(number));
        }
        if (numbers.isEmpty()) {
            throw new Refusal("the command names no objects");
        }
        return Payload.print("skip_objects", Map.of("obj_list", numbers));
    }

    private String temperatureGcode(CommandArguments arguments) throws Refusal {
        String degrees = Gcode.formatNumber(arguments.requireNumber("temperature"));
        int extruder = arguments.extruderIndex();
        String type = arguments.textOrDefault("type", "");
        Map<String, String> places = Map.of("temperature", degrees);
        return switch (type) {
            case "nozzle" ->
                extruder == 0
                        ? bindings.commandGcode("setNozzleTemperature", "M104 S{temperature}", places)
                        : "M104 T" + extruder + " S" + degrees;
            case "bed" -> bindings.commandGcode("setBedTemperature", "M140 S{temperature}", places);
            case "chamber" -> "M141 S" + degrees;
            default -> throw new Refusal("unknown heater: " + type);
        };
    }

    private String fanGcode(CommandArguments arguments) throws Refusal {
        String fan = bindings.fanProperty(arguments, "fan", FANS);
        String level = String.valueOf(Gcode.fanLevel(arguments.requirePercent("speed")));
        return bindings.commandGcode("setFan", "M106 {fan} S{level}", Map.of("fan", fan, "level", level));
    }

    private Payload lightPayload(CommandArguments arguments) {
        String light = arguments.textOrDefault("light", "chamberLight");
        String usual = light.toLowerCase(Locale.ROOT).contains("work") ? "work_light" : "chamber_light";
        return new Payload(
                "system",
                Map.of(
                        "command",
                        "ledctrl",
                        "led_node",
                        bindings.componentProperty(light, "node", usual),
                        "led_mode",
                        arguments.isOn("state") ? "on" : "off",
                        "led_on_time",
                        500,
                        "led_off_time",
                        500,
                        "loop_times",
                        1,
                        "interval_time",
                        1000));
    }

    private static Payload changeFilamentPayload(int target, CommandArguments arguments) {
        int warm = (int) Tree.number(arguments.values(), "targetTemp", 220);
        int now = (int) Tree.number(arguments.values(), "currentTemp", warm);
        return Payload.print("ams_change_filament", Map.of("target", target, "curr_temp", now, "tar_temp", warm));
    }
}
