package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.printer.Arguments;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.wire.Command;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a printer is asked or told to do. */
record Order(String type, String action, @Nullable Map<String, ? extends @Nullable Object> data) {
    /** The job that is on. */
    private static final String THIS_JOB = "-1";

    private static final int CHAMBER_LIGHT = 2;

    static final Order INFO = new Order("info", "query", null);
    /** To be asked how they are, boxes want another word than all others. */
    static final Order BOXES = new Order("multiColorBox", "getInfo", null);

    static Order start(String fileName, @Nullable String md5) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("taskid", THIS_JOB);
        data.put("filename", fileName);
        if (md5 != null) {
            data.put("md5", md5);
        }
        data.put("filepath", null);
        data.put("filetype", 1);
        return new Order("print", "start", data);
    }

    static Order steer(String action) {
        return new Order("print", action, Map.of("taskid", THIS_JOB));
    }

    /** A person's command as the printer's own. */
    static Order of(Command.Send send) throws Refusal {
        Arguments arguments = Arguments.of(send);
        return switch (send.command()) {
            case "set-temperature" -> set(heater(arguments), Math.round(arguments.number("temperature")));
            case "set-fan" -> set(fan(arguments), Math.round(arguments.percent("speed")));
            case "led-control" -> {
                boolean on = arguments.isOn("state");
                yield new Order(
                        "light",
                        "control",
                        Map.of("type", CHAMBER_LIGHT, "status", on ? 1 : 0, "brightness", on ? 100 : 0));
            }
            default -> throw new Refusal("a printer of this make has no command " + send.command());
        };
    }

    private static Order set(String setting, long value) {
        return new Order("print", "update", Map.of("taskid", THIS_JOB, "settings", Map.of(setting, value)));
    }

    private static String heater(Arguments arguments) throws Refusal {
        String type = arguments.word("type", "");
        return switch (type + arguments.extruder()) {
            case "nozzle0" -> "target_nozzle_temp";
            case "bed0" -> "target_hotbed_temp";
            default -> throw new Refusal("there is no such heater: " + type);
        };
    }

    private static String fan(Arguments arguments) throws Refusal {
        String type = arguments.word("type", "part");
        return switch (type) {
            case "part" -> "fan_speed_pct";
            case "aux", "auxiliary" -> "aux_fan_speed_pct";
            default -> throw new Refusal("there is no fan " + type);
        };
    }

    /** As it is published under a number, which the report of what came of it bears. */
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
