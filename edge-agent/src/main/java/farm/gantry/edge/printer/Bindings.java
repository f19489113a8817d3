package farm.gantry.edge.printer;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The settings by which one printer deviates from its provider's defaults. */
public record Bindings(Map<String, Object> tree) {

    public static Bindings of(PrinterConfig config) {
        return new Bindings(Tree.object(config.bindings(), config.provider().wireName()));
    }

    /** Returns an option of a print: the printer's name for it, and its default. */
    public static Map<String, Object> option(String field, boolean usual) {
        return Map.of("field", field, "default", usual);
    }

    /** Returns the options of a print under the printer's names. */
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

    /** Returns a property of a component by the component's {@code ref}. */
    public String component(String ref, String property, String usual) {
        return Objects.requireNonNullElse(Tree.text(tree, "components", ref, property), usual);
    }

    /** Returns the printer's name for the fan; {@code usual} has the provider's defaults. */
    public String fan(Arguments arguments, String property, Map<String, String> usual) throws Refusal {
        String fan = arguments.fan();
        String own = component(fan, property, usual.getOrDefault(fan, ""));
        if (own.isEmpty()) {
            throw new Refusal("there is no fan " + fan);
        }
        return own;
    }

    /** Returns the G-code of a command with its {@code {places}} filled. */
    public String gcode(String command, String usual, Map<String, String> places) {
        return filled(Objects.requireNonNullElse(Tree.text(tree, "commands", command, "gcode"), usual), places);
    }

    /** Returns the G-code of a component with its {@code {places}} filled; empty without one. */
    public String componentGcode(String ref, Map<String, String> places) {
        return filled(component(ref, "gcode", ""), places);
    }

    /** Returns the G-code with its {@code {places}} filled. */
    public static String filled(String gcode, Map<String, String> places) {
        String filled = gcode;
        for (Map.Entry<String, String> place : places.entrySet()) {
            filled = filled.replace("{" + place.getKey() + "}", place.getValue());
        }
        return filled;
    }
}
