package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.printer.Arguments;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Gcode;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Converts commands of the farm to the printer's own. */
record BambuLabCommands(Bindings bindings) {
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

    Payload of(Command.Send send) throws Refusal {
        Arguments arguments = Arguments.of(send);
        return switch (send.command()) {
            case "gcode" -> gcode(String.join("\n", arguments.lines()));
            case "set-temperature" -> gcode(temperature(arguments));
            case "set-fan" -> gcode(fan(arguments));
            case "led-control" -> light(arguments);
            case "skip-objects" -> skip(arguments.list("objectIds"));
            case "home-axis" -> gcode(Gcode.home(arguments));
            case "move-axis" -> gcode(Gcode.move(arguments));
            case "select-tool" ->
                gcode(bindings.gcode(
                        "selectTool",
                        "T{toolIndex}",
                        Map.of("toolIndex", String.valueOf(arguments.integer("toolIndex")))));
            case "extrude-filament" -> gcode(Gcode.extrude(arguments));
            case "load-filament" -> change(arguments.integer("targetSlot"), arguments);
            case "unload-filament" -> change(NO_TARGET, arguments);
            case "refresh-slot" ->
                Payload.print(
                        "ams_get_rfid",
                        Map.of("ams_id", arguments.integer("amsId"), "slot_id", arguments.integer("slotId")));
            case "set-slot-info" ->
                Payload.print(
                        "ams_filament_setting",
                        FilamentSetting.setting(new Arguments(Tree.object(arguments.values(), "info"))));
            case "calibration" -> Payload.print("calibration", Map.of("option", arguments.integer("option_value")));
            default -> throw new Refusal("Bambu Lab printers have no command " + send.command());
        };
    }

    private static Payload gcode(String script) {
        return Payload.print("gcode_line", Map.of("param", script + "\n"));
    }

    /** Skips objects by the numbers of the sliced file; the agent knows them for the farm's own prints. */
    static Payload skip(List<?> objects) throws Refusal {
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

    private String temperature(Arguments arguments) throws Refusal {
        String degrees = Gcode.decimal(arguments.number("temperature"));
        int extruder = arguments.extruder();
        String type = arguments.word("type", "");
        Map<String, String> places = Map.of("temperature", degrees);
        return switch (type) {
            case "nozzle" ->
                extruder == 0
                        ? bindings.gcode("setNozzleTemperature", "M104 S{temperature}", places)
                        : "M104 T" + extruder + " S" + degrees;
            case "bed" -> bindings.gcode("setBedTemperature", "M140 S{temperature}", places);
            case "chamber" -> "M141 S" + degrees;
            default -> throw new Refusal("unknown heater: " + type);
        };
    }

    private String fan(Arguments arguments) throws Refusal {
        String fan = bindings.fan(arguments, "fan", FANS);
        String level = String.valueOf(Gcode.fanLevel(arguments.percent("speed")));
        return bindings.gcode("setFan", "M106 {fan} S{level}", Map.of("fan", fan, "level", level));
    }

    private Payload light(Arguments arguments) {
        String light = arguments.word("light", "chamberLight");
        String usual = light.toLowerCase(Locale.ROOT).contains("work") ? "work_light" : "chamber_light";
        return new Payload(
                "system",
                Map.of(
                        "command",
                        "ledctrl",
                        "led_node",
                        bindings.component(light, "node", usual),
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

    private static Payload change(int target, Arguments arguments) {
        int warm = (int) Tree.number(arguments.values(), "targetTemp", 220);
        int now = (int) Tree.number(arguments.values(), "currentTemp", warm);
        return Payload.print("ams_change_filament", Map.of("target", target, "curr_temp", now, "tar_temp", warm));
    }
}
