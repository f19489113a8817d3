package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.Arguments;
import farm.gantry.edge.printer.Gcode;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.wire.Command;
import java.util.Locale;
import java.util.Map;

/** What a printer is told to do, by the number of the method. */
record Order(int method, Map<String, ?> params) {
    static final Order STATUS = new Order(1002, Map.of());
    static final Order PAUSE = new Order(1021, Map.of());
    static final Order STOP = new Order(1022, Map.of());
    static final Order RESUME = new Order(1023, Map.of());
    static final Order SLOTS = new Order(2005, Map.of());

    private static final String ALL_AXES = "XYZ";

    static Order details(String fileName) {
        return new Order(1046, Map.of("storage_media", "local", "filename", fileName));
    }

    /** A person's command as the printer's own. */
    static Order of(Command.Send send) throws Refusal {
        Arguments arguments = Arguments.of(send);
        return switch (send.command()) {
            case "home-axis" -> {
                String axes = String.join("", arguments.axes());
                yield new Order(
                        1026, Map.of("homed_axes", (axes.isEmpty() ? ALL_AXES : axes).toLowerCase(Locale.ROOT)));
            }
            case "move-axis" -> move(arguments.moves());
            case "set-temperature" -> temperature(arguments);
            case "led-control" -> new Order(1029, Map.of("power", arguments.isOn("state") ? 1 : 0));
            case "set-fan" -> new Order(1030, Map.of(fan(arguments), Gcode.fanLevel(arguments.percent("speed"))));
            default -> throw new Refusal("a printer of this make has no command " + send.command());
        };
    }

    private static Order move(Map<String, Number> moves) throws Refusal {
        if (moves.size() != 1) {
            throw new Refusal("a printer of this make moves one axis at a time");
        }
        Map.Entry<String, Number> move = moves.entrySet().iterator().next();
        return new Order(1027, Map.of("axes", move.getKey().toLowerCase(Locale.ROOT), "distance", move.getValue()));
    }

    private static Order temperature(Arguments arguments) throws Refusal {
        String type = arguments.word("type", "");
        String heater = switch (type) {
            case "nozzle" -> arguments.extruder() == 0 ? "extruder" : "";
            case "bed" -> "heater_bed";
            default -> "";
        };
        if (heater.isEmpty()) {
            throw new Refusal("there is no such heater: " + type);
        }
        return new Order(1028, Map.of(heater, Math.round(arguments.number("temperature"))));
    }

    private static String fan(Arguments arguments) throws Refusal {
        String type = arguments.word("type", "part");
        return switch (type) {
            case "part" -> "fan";
            case "aux", "auxiliary" -> "aux_fan";
            case "chamber", "chamberFan" -> "box_fan";
            default -> throw new Refusal("there is no fan " + type);
        };
    }
}
