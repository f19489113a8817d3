package farm.gantry.edge.printer.connection;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command, with typed getters for all providers. A getter throws a {@link Refusal} that names the
 * argument if it is missing or invalid.
 */
public record CommandArguments(Map<String, Object> values) {

    public static CommandArguments of(Command.Send send) {
        return new CommandArguments(send.arguments());
    }

    public double requireNumber(String name) throws Refusal {
        return requirePresent(Tree.number(values, name), name);
    }

    public int requireInteger(String name) throws Refusal {
        return requirePresent(Tree.integer(values, name), name);
    }

    private static <T> T requirePresent(@Nullable T value, String name) throws Refusal {
        if (value == null) {
            throw new Refusal(name + " must be a number");
        }
        return value;
    }

    /** Returns the index of the extruder, 0 by default. */
    public int extruderIndex() {
        return Objects.requireNonNullElse(Tree.integer(values, "extruderIndex"), 0);
    }

    /** Returns the name of the fan component. */
    public String fanName() {
        String type = textOrDefault("type", "part");
        return switch (type) {
            case "auxiliary" -> "aux";
            case "chamber" -> "chamberFan";
            default -> type;
        };
    }

    public double requirePercent(String name) throws Refusal {
        return Math.clamp(requireNumber(name), 0, 100);
    }

    /** Returns the text of an argument, or {@code absent} if the command has no such argument. */
    public String textOrDefault(String name, String absent) {
        return String.valueOf(values.getOrDefault(name, absent));
    }

    public boolean isOn(String name) {
        return List.of("on", "true", "1").contains(textOrDefault(name, ""));
    }

    public List<?> listOrEmpty(String name) {
        return Tree.list(values, name);
    }

    /** Returns the lines of G-code, given as one text or as a list. */
    public List<String> gcodeLines() {
        String text = Tree.text(values, "lines");
        return text != null
                ? text.strip().lines().toList()
                : listOrEmpty("lines").stream().map(String::valueOf).toList();
    }

    /** Returns the axes to home, in capital letters; all axes if the command names none. */
    public List<String> axesToHome() throws Refusal {
        List<?> named = values.get("axes") instanceof String text ? List.of(text.split("")) : listOrEmpty("axes");
        for (Object axis : named) {
            requireAxis(String.valueOf(axis));
        }
        return named.stream()
                .map(axis -> String.valueOf(axis).toUpperCase(Locale.ROOT))
                .toList();
    }

    /** Returns the distance in millimetres for each axis to move. Axes are in capital letters. */
    public Map<String, Number> distancesByAxis() throws Refusal {
        Map<String, Number> moves = new LinkedHashMap<>();
        for (Map.Entry<String, Object> axis : Tree.object(values, "axes").entrySet()) {
            requireAxis(axis.getKey());
            if (!(axis.getValue() instanceof Number millimetres)) {
                throw new Refusal("a move is {axis: millimetres}, not " + axis);
            }
            moves.put(axis.getKey().toUpperCase(Locale.ROOT), millimetres);
        }
        return moves;
    }

    /**
     * Returns the axis to move and its distance in millimetres. Throws if the command names several axes, for providers
     * that move one axis at a time.
     */
    public Map.Entry<String, Number> singleAxisMove() throws Refusal {
        Map<String, Number> moves = distancesByAxis();
        if (moves.size() != 1) {
            throw new Refusal("this printer moves one axis at a time");
        }
        return moves.entrySet().iterator().next();
    }

    private static void requireAxis(String axis) throws Refusal {
        if (!axis.matches("[xyzXYZ]")) {
            throw new Refusal("there is no axis " + axis);
        }
    }
}
