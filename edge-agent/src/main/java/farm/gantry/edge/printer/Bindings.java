package farm.gantry.edge.printer;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** How this very printer is asked for what it can do; what is not said is as it is for most of its make. */
public record Bindings(Map<String, Object> tree) {

    public static Bindings of(PrinterConfig config) {
        return new Bindings(Tree.object(config.bindings(), config.provider().wire()));
    }

    /** A choice of a print: the printer's name for it, and what holds where nothing was chosen. */
    public static Map<String, Object> option(String field, boolean usual) {
        return Map.of("field", field, "default", usual);
    }

    /** The choices of a print under the names that the printer has for them. */
    public Map<String, Object> options(Map<String, Object> chosen, Map<String, Object> usual) {
        Map<String, Object> fields = new TreeMap<>();
        Map<String, Object> known = Tree.object(tree, "printOptions");
        (known.isEmpty() ? usual : known).forEach((name, option) -> {
            String field = Tree.text(option, "field");
            Object value = chosen.getOrDefault(name, Tree.object(option).get("default"));
            if (field != null && value != null) {
                fields.put(field, value);
            }
        });
        return fields;
    }

    /** A property of a component, by its {@code ref}. */
    public String component(String ref, String property, String usual) {
        return Objects.requireNonNullElse(Tree.text(tree, "components", ref, property), usual);
    }

    /** The printer's own word for the fan that is meant; {@code usual} are those of its make. */
    public String fan(Arguments arguments, String property, Map<String, String> usual) throws Refusal {
        String fan = arguments.fan();
        String own = component(fan, property, usual.getOrDefault(fan, ""));
        if (own.isEmpty()) {
            throw new Refusal("there is no fan " + fan);
        }
        return own;
    }

    /** The G-code of a command, its {@code {places}} filled. */
    public String gcode(String command, String usual, Map<String, String> places) {
        return filled(Objects.requireNonNullElse(Tree.text(tree, "commands", command, "gcode"), usual), places);
    }

    /** The G-code of a component, its {@code {places}} filled; empty where it has none. */
    public String componentGcode(String ref, Map<String, String> places) {
        return filled(component(ref, "gcode", ""), places);
    }

    /** The G-code with its {@code {places}} filled. */
    public static String filled(String gcode, Map<String, String> places) {
        String filled = gcode;
        for (Map.Entry<String, String> place : places.entrySet()) {
            filled = filled.replace("{" + place.getKey() + "}", place.getValue());
        }
        return filled;
    }
}
