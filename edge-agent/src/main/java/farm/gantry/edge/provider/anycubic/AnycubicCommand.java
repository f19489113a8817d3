package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A request to the printer. */
record AnycubicCommand(String type, String action, @Nullable Map<String, ? extends @Nullable Object> data) {
    /** The task id that stands for the running job. */
    static final String THIS_JOB = "-1";

    private static final int CHAMBER_LIGHT = 2;
    private static final Map<String, String> FANS =
            Map.of("part", "fan_speed_pct", "aux", "aux_fan_speed_pct", "chamberFan", "box_fan_level");
    /** The axes at the index that is their number in the printer's protocol. Higher numbers are sets of axes. */
    private static final String AXES = " XYZ";

    private static final int X_AND_Y = 4;
    private static final int ALL_AXES = 5;
    private static final int MOVE_BACK = 0;
    private static final int MOVE_FORTH = 1;
    private static final int MOVE_HOME = 2;

    static final AnycubicCommand INFO = new AnycubicCommand("info", "query", null);
    /** The request for the status of the filament boxes. Its action name differs from that of all other queries. */
    static final AnycubicCommand BOXES = new AnycubicCommand("multiColorBox", "getInfo", null);

    static final AnycubicCommand FILM_ON = new AnycubicCommand("video", "startCapture", null);
    static final AnycubicCommand FILM_OFF = new AnycubicCommand("video", "stopCapture", null);

    static AnycubicCommand controlPrint(String action) {
        return new AnycubicCommand("print", action, Map.of("taskid", THIS_JOB));
    }

    /** Converts a command of the farm to the printer's own. */
    static AnycubicCommand convert(Command.Send send, PrinterBindings bindings) throws Refusal {
        CommandArguments arguments = CommandArguments.of(send);
        return switch (send.command()) {
            case "set-temperature" ->
                changeSetting(heaterSetting(arguments, bindings), Math.round(arguments.requireNumber("temperature")));
            case "set-fan" ->
                changeSetting(
                        bindings.fanProperty(arguments, "field", FANS), Math.round(arguments.requirePercent("speed")));
            case "home-axis" ->
                new AnycubicCommand(
                        "axis",
                        "move",
                        Map.of("axis", axisSetNumber(arguments), "move_type", MOVE_HOME, "distance", 0));
            case "move-axis" -> moveAxis(arguments.singleAxisMove());
            case "led-control" -> {
                boolean on = arguments.isOn("state");
                yield new AnycubicCommand(
                        "light",
                        "control",
                        Map.of("type", CHAMBER_LIGHT, "status", on ? 1 : 0, "brightness", on ? 100 : 0));
            }
            default -> throw new Refusal("Anycubic printers have no command " + send.command());
        };
    }

    /** Returns the number of the set of axes to home. */
    private static int axisSetNumber(CommandArguments arguments) throws Refusal {
        return switch (String.join("", new TreeSet<>(arguments.axesToHome()))) {
            case "", "XYZ" -> ALL_AXES;
            case "XY" -> X_AND_Y;
            case "Z" -> AXES.indexOf("Z");
            default -> throw new Refusal("Anycubic printers home x and y together, or z, or all axes");
        };
    }

    private static AnycubicCommand moveAxis(Map.Entry<String, Number> move) {
        BigDecimal distance = new BigDecimal(move.getValue().toString());
        return new AnycubicCommand(
                "axis",
                "move",
                Map.of(
                        "axis",
                        AXES.indexOf(move.getKey()),
                        "move_type",
                        distance.signum() < 0 ? MOVE_BACK : MOVE_FORTH,
                        "distance",
                        distance.abs()));
    }

    private static AnycubicCommand changeSetting(String setting, long value) {
        return new AnycubicCommand("print", "update", Map.of("taskid", THIS_JOB, "settings", Map.of(setting, value)));
    }

    private static String heaterSetting(CommandArguments arguments, PrinterBindings bindings) throws Refusal {
        String type = arguments.textOrDefault("type", "");
        String heater = switch (type + arguments.extruderIndex()) {
            case "nozzle0" -> bindings.componentProperty("nozzle0", "field", "nozzle");
            case "bed0" -> bindings.componentProperty("bed", "field", "hotbed");
            default -> throw new Refusal("unknown heater: " + type);
        };
        return "target_" + heater + "_temp";
    }

    /** Returns the message to publish. The printer's response contains the same number. */
    Map<String, ?> message(String number) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("type", type);
        message.put("action", action);
        message.put("msgid", number);
        message.put("timestamp", System.currentTimeMillis());
        message.put("data", data);
        return message;
    }
}
