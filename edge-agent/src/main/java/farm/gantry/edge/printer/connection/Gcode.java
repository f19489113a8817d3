package farm.gantry.edge.printer.connection;

import farm.gantry.edge.refusal.Refusal;
import java.util.Map;
import java.util.stream.Collectors;

/** Creates the G-code of commands that is identical for all firmwares. */
public final class Gcode {
    private static final int FULL_FAN = 255;

    private Gcode() {}

    public static String home(CommandArguments arguments) throws Refusal {
        return "G28" + arguments.axesToHome().stream().map(axis -> " " + axis).collect(Collectors.joining());
    }

    /** Returns a relative move, followed by the return to absolute coordinates. */
    public static String move(CommandArguments arguments) throws Refusal {
        StringBuilder script = new StringBuilder("G91\nG1");
        for (Map.Entry<String, Number> axis : arguments.distancesByAxis().entrySet()) {
            script.append(' ').append(axis.getKey()).append(axis.getValue());
        }
        return script + " F3000\nG90";
    }

    public static String extrude(CommandArguments arguments) throws Refusal {
        return "M83\nG1 E" + formatNumber(arguments.requireNumber("amount")) + " F300";
    }

    /** Converts a percentage to a fan level of 0 to 255. */
    public static long fanLevel(double percent) {
        return Math.round(percent * FULL_FAN / 100);
    }

    /** Formats a number; whole numbers have no decimal point. */
    public static String formatNumber(double number) {
        return number == Math.rint(number) ? String.valueOf(Math.round(number)) : String.valueOf(number);
    }
}
