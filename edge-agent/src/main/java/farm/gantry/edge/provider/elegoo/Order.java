package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.Arguments;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Gcode;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.util.Locale;
import java.util.Map;

/** What a printer is told to do, by the number of the method. */
record Order(int method, Map<String, ?> params) {
    static final Order STATUS = new Order(1002, Map.of());
    static final Order PAUSE = new Order(1021, Map.of());
    static final Order STOP = new Order(1022, Map.of());
    static final Order RESUME = new Order(1023, Map.of());
    static final Order HISTORY = new Order(1036, Map.of());
    static final Order SLOTS = new Order(2005, Map.of());

    private static final String ALL_AXES = "XYZ";
    private static final Map<String, String> FANS = Map.of("part", "fan", "aux", "aux_fan", "chamberFan", "box_fan");

    static Order details(String fileName) {
        return new Order(1046, Map.of("storage_media", "local", "filename", fileName));
    }

    /** It takes numbers here, and no truth values. */
    static Order film(boolean on) {
        return new Order(1042, Map.of("enable", on ? 1 : 0));
    }

    /** A person's command as the printer's own. */
    static Order of(Command.Send send, Bindings bindings) throws Refusal {
        Arguments arguments = Arguments.of(send);
        return switch (send.command()) {
            case "home-axis" -> {
                String axes = String.join("", arguments.axes());
                yield new Order(
                        1026, Map.of("homed_axes", (axes.isEmpty() ? ALL_AXES : axes).toLowerCase(Locale.ROOT)));
            }
            case "move-axis" -> move(arguments.move());
            case "set-temperature" -> temperature(arguments, bindings);
            case "led-control" -> new Order(1029, Map.of("power", arguments.isOn("state") ? 1 : 0));
            case "set-fan" ->
                new Order(
                        1030,
                        Map.of(bindings.fan(arguments, "field", FANS), Gcode.fanLevel(arguments.percent("speed"))));
            default -> throw new Refusal("a printer of this make has no command " + send.command());
        };
    }

    private static Order move(Map.Entry<String, Number> move) {
        return new Order(1027, Map.of("axes", move.getKey().toLowerCase(Locale.ROOT), "distance", move.getValue()));
    }

    private static Order temperature(Arguments arguments, Bindings bindings) throws Refusal {
        String type = arguments.word("type", "");
        String heater = switch (type) {
            case "nozzle" -> {
                int extruder = arguments.extruder();
                yield bindings.component("nozzle" + extruder, "field", extruder == 0 ? "extruder" : "");
            }
            case "bed" -> bindings.component("bed", "field", "heater_bed");
            default -> "";
        };
        if (heater.isEmpty()) {
            throw new Refusal("there is no such heater: " + type);
        }
        return new Order(1028, Map.of(heater, Math.round(arguments.number("temperature"))));
    }
}
