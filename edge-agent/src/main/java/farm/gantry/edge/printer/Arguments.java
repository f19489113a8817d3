package farm.gantry.edge.printer;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a person says beside a command's name, as every make reads it; what is not said well is refused by its name. */
public record Arguments(Map<String, Object> told) {

    public static Arguments of(Command.Send send) {
        return new Arguments(send.arguments());
    }

    public double number(String name) throws Refusal {
        return present(Tree.number(told, name), name);
    }

    public int integer(String name) throws Refusal {
        return present(Tree.integer(told, name), name);
    }

    private static <T> T present(@Nullable T value, String name) throws Refusal {
        if (value == null) {
            throw new Refusal(name + " must be a number");
        }
        return value;
    }

    /** The extruder named, by default the first. */
    public int extruder() {
        return Objects.requireNonNullElse(Tree.integer(told, "extruderIndex"), 0);
    }

    /** By the name of its component. */
    public String fan() {
        String type = word("type", "part");
        return switch (type) {
            case "auxiliary" -> "aux";
            case "chamber" -> "chamberFan";
            default -> type;
        };
    }

    public double percent(String name) throws Refusal {
        return Math.clamp(number(name), 0, 100);
    }

    /** One word, or {@code absent}. */
    public String word(String name, String absent) {
        return String.valueOf(told.getOrDefault(name, absent));
    }

    public boolean isOn(String name) {
        return List.of("on", "true", "1").contains(word(name, ""));
    }

    public List<?> list(String name) {
        return Tree.list(told, name);
    }

    /** Lines of G-code, as one text or as a list of them. */
    public List<String> lines() {
        String text = Tree.text(told, "lines");
        return text != null
                ? text.strip().lines().toList()
                : list("lines").stream().map(String::valueOf).toList();
    }

    /** In capitals; where none is named, all are meant. */
    public List<String> axes() throws Refusal {
        List<?> named = told.get("axes") instanceof String text ? List.of(text.split("")) : list("axes");
        for (Object axis : named) {
            checkAxis(String.valueOf(axis));
        }
        return named.stream()
                .map(axis -> String.valueOf(axis).toUpperCase(Locale.ROOT))
                .toList();
    }

    /** Millimetres by axis, in capitals. */
    public Map<String, Number> moves() throws Refusal {
        Map<String, Number> moves = new LinkedHashMap<>();
        for (Map.Entry<String, Object> axis : Tree.object(told, "axes").entrySet()) {
            checkAxis(axis.getKey());
            if (!(axis.getValue() instanceof Number millimetres)) {
                throw new Refusal("a move is {axis: millimetres}, not " + axis);
            }
            moves.put(axis.getKey().toUpperCase(Locale.ROOT), millimetres);
        }
        return moves;
    }

    /** The only one, of makes that move one axis at a time. */
    public Map.Entry<String, Number> move() throws Refusal {
        Map<String, Number> moves = moves();
        if (moves.size() != 1) {
            throw new Refusal("a printer of this make moves one axis at a time");
        }
        return moves.entrySet().iterator().next();
    }

    private static void checkAxis(String axis) throws Refusal {
        if (!axis.matches("[xyzXYZ]")) {
            throw new Refusal("there is no axis " + axis);
        }
    }
}
