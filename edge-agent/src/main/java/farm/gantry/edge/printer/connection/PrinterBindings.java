package farm.gantry.edge.printer.connection;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The settings of one printer that replace its provider's defaults: print options, component names and G-code. */
public record PrinterBindings(Map<String, Object> settings) {

    public static PrinterBindings of(PrinterConfig config) {
        return new PrinterBindings(
                Tree.object(config.bindings(), config.provider().wireName()));
    }

    /**
     * Returns the description of a print option that a provider has by default: its field name in the printer's
     * protocol, and its default value.
     */
    public static Map<String, Object> defaultOption(String field, boolean usual) {
        return Map.of("field", field, "default", usual);
    }

    /** Returns the options of a print under the printer's field names: the chosen values, or else the defaults. */
    public Map<String, Object> resolveOptions(Map<String, Object> chosen, Map<String, Object> usual) {
        Map<String, Object> fields = new TreeMap<>();
        Map<String, Object> known = Tree.object(settings, "printOptions");
        (known.isEmpty() ? usual : known).forEach((name, option) -> {
            String field = Tree.text(option, "field");
            Object value = chosen.getOrDefault(name, Tree.object(option).get("default"));
            if (field != null && value != null) {
                fields.put(field, value);
            }
        });
        return fields;
    }

    /** Returns a property of the component with this {@code ref}, or {@code usual} if the bindings do not set it. */
    public String componentProperty(String ref, String property, String usual) {
        return Objects.requireNonNullElse(Tree.text(settings, "components", ref, property), usual);
    }

    /** Returns a property of the fan that the arguments name; {@code usual} has the provider's default for each fan. */
    public String fanProperty(CommandArguments arguments, String property, Map<String, String> usual) throws Refusal {
        String fan = arguments.fanName();
        String own = componentProperty(fan, property, usual.getOrDefault(fan, ""));
        if (own.isEmpty()) {
            throw new Refusal("there is no fan " + fan);
        }
        return own;
    }

    /** Returns the G-code of a command with its placeholders, such as {@code {temperature}}, replaced by values. */
    public String commandGcode(String command, String usual, Map<String, String> places) {
        return fillPlaceholders(
                Objects.requireNonNullElse(Tree.text(settings, "commands", command, "gcode"), usual), places);
    }

    /** Returns the G-code of a component with its placeholders replaced by values; empty if the bindings have none. */
    public String componentGcode(String ref, Map<String, String> places) {
        return fillPlaceholders(componentProperty(ref, "gcode", ""), places);
    }

    /** Replaces each placeholder in the G-code by its value. */
    public static String fillPlaceholders(String gcode, Map<String, String> places) {
        String filled = gcode;
        for (Map.Entry<String, String> place : places.entrySet()) {
            filled = filled.replace("{" + place.getKey() + "}", place.getValue());
        }
        return filled;
    }
}
