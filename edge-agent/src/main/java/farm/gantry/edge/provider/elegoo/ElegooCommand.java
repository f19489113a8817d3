package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.Gcode;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.util.Locale;
import java.util.Map;

/** A request to the printer, by its method number. */
record ElegooCommand(int method, Map<String, ?> params) {
    static final ElegooCommand STATUS = new ElegooCommand(1002, Map.of());
    static final ElegooCommand PAUSE = new ElegooCommand(1021, Map.of());
    static final ElegooCommand STOP = new ElegooCommand(1022, Map.of());
    static final ElegooCommand RESUME = new ElegooCommand(1023, Map.of());
    static final ElegooCommand HISTORY = new ElegooCommand(1036, Map.of());
    static final ElegooCommand SLOTS = new ElegooCommand(2005, Map.of());

    private static final String ALL_AXES = "XYZ";
    private static final Map<String, String> FANS = Map.of("part", "fan", "aux", "aux_fan", "chamberFan", "box_fan");

    static ElegooCommand requestDetails(String fileName) {
        return new ElegooCommand(1046, Map.of("storage_media", "local", "filename", fileName));
    }

    static ElegooCommand removeFile(String fileName) {
        return new ElegooCommand(1047, Map.of("storage_media", "local", "filename", fileName));
    }

    /** Switches the video on or off; the printer expects numbers, not booleans. */
    static ElegooCommand switchVideo(boolean on) {
        return new ElegooCommand(1042, Map.of("enable", on ? 1 : 0));
    }

    /** Converts a command of the farm to the printer's own. */
    static ElegooCommand convert(Command.Send send, PrinterBindings bindings) throws Refusal {
        CommandArguments arguments = CommandArguments.of(send);
        return switch (send.command()) {
            case "home-axis" -> {
                String axes = String.join("", arguments.axesToHome());
                yield new ElegooCommand(
                        1026, Map.of("homed_axes", (axes.isEmpty() ? ALL_AXES : axes).toLowerCase(Locale.ROOT)));
            }
            case "move-axis" -> moveAxis(arguments.singleAxisMove());
            case "set-temperature" -> setTemperature(arguments, bindings);
            case "led-control" -> new ElegooCommand(1029, Map.of("power", arguments.isOn("state") ? 1 : 0));
            case "set-fan" ->
                new ElegooCommand(
                        1030,
                        Map.of(
                                bindings.fanProperty(arguments, "field", FANS),
                                Gcode.fanLevel(arguments.requirePercent("speed"))));
            default -> throw new Refusal("Elegoo printers have no command " + send.command());
        };
    }

    private static ElegooCommand moveAxis(Map.Entry<String, Number> move) {
        return new ElegooCommand(
                1027, Map.of("axes", move.getKey().toLowerCase(Locale.ROOT), "distance", move.getValue()));
    }

    private static ElegooCommand setTemperature(CommandArguments arguments, PrinterBindings bindings) throws Refusal {
        String type = arguments.textOrDefault("type", "");
        String heater = switch (type) {
            case "nozzle" -> {
                int extruder = arguments.extruderIndex();
                yield bindings.componentProperty("nozzle" + extruder, "field", extruder == 0 ? "extruder" : "");
            }
            case "bed" -> bindings.componentProperty("bed", "field", "heater_bed");
            default -> "";
        };
        if (heater.isEmpty()) {
            throw new Refusal("unknown heater: " + type);
        }
        return new ElegooCommand(1028, Map.of(heater, Math.round(arguments.requireNumber("temperature"))));
    }
}
