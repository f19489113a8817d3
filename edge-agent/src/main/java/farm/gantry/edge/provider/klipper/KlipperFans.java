package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.Gcode;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import java.util.List;
import java.util.Map;

/**
 * Creates the G-code of fan commands. Klipper's part cooling fan has no name; every other fan is addressed by its name.
 */
record KlipperFans(List<String> objects, PrinterBindings bindings) {
    private static final String USUAL = "part";
    private static final String PART_FAN = "fan";
    private static final String PART_FAN_ORDER = "M106 S{level}";
    private static final String ORDER = "SET_FAN_SPEED FAN={object} SPEED={speed}";

    String toGcode(CommandArguments arguments) throws Refusal {
        double percent = arguments.requirePercent("speed");
        String type = arguments.textOrDefault("type", USUAL);
        Map<String, String> speeds = Map.of(
                "level", String.valueOf(Gcode.fanLevel(percent)),
                "speed", String.valueOf(percent / 100));
        String own = bindings.componentGcode(arguments.fanName(), speeds);
        return own.isBlank()
                ? PrinterBindings.fillPlaceholders(
                        toGcode(type, bindings.componentProperty(arguments.fanName(), "object", "")), speeds)
                : own;
    }

    /**
     * Returns the G-code for a fan. G-code from the bindings that names no fan applies only to the part cooling fan.
     */
    private String toGcode(String type, String bound) throws Refusal {
        boolean isPart = type.equals(USUAL);
        String order = bindings.commandGcode("setFan", PART_FAN_ORDER, Map.of());
        if (!order.equals(PART_FAN_ORDER) && (isPart || order.contains("{object}"))) {
            return order.replace("{object}", bound.isEmpty() ? fanName(type, "") : bound);
        }
        String name = fanName(type, bound);
        return name.equals(PART_FAN) ? PART_FAN_ORDER : ORDER.replace("{object}", name);
    }

    private String fanName(String type, String bound) throws Refusal {
        boolean isUsual = type.equals(USUAL) && (bound.isEmpty() || bound.equals(PART_FAN));
        if (isUsual) {
            KlipperObjectList likely = fans().containing(USUAL);
            boolean isTold = bound.equals(PART_FAN) && objects.contains(PART_FAN);
            return isTold || likely.isEmpty()
                    ? PART_FAN
                    : likely.all().getFirst().name();
        }
        String wanted = bound.isEmpty() ? type : bound;
        if (wanted.equals(PART_FAN) && objects.contains(PART_FAN)) {
            return PART_FAN;
        }
        KlipperObjectList called = fans().named(wanted);
        return (called.isEmpty() ? fans().containing(wanted.equals("auxiliary") ? "aux" : wanted) : called)
                .requireOnly("fan " + wanted)
                .name();
    }

    private KlipperObjectList fans() {
        return KlipperObjectList.of(objects, "fan_generic");
    }
}
