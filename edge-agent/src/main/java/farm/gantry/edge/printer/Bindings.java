package farm.gantry.edge.printer;

import farm.gantry.edge.json.Tree;
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

    /** The G-code of a command, its {@code {places}} filled. */
    public String gcode(String command, String usual, Map<String, String> places) {
        String gcode = Objects.requireNonNullElse(Tree.text(tree, "commands", command, "gcode"), usual);
        for (Map.Entry<String, String> place : places.entrySet()) {
            gcode = gcode.replace("{" + place.getKey() + "}", place.getValue());
        }
        return gcode;
    }
}
