package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.json.Tree;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** How this very printer is asked for what it can do; what is not said is as it is for most of its make. */
record Bindings(Map<String, Object> tree) {
    private static final Map<String, Object> USUAL_OPTIONS = Map.of(
            "use_ams", option("use_ams", true),
            "do_bed_leveling", option("bed_leveling", true),
            "do_flow_cali", option("flow_cali", false),
            "enable_timelapse", option("timelapse", false));

    static Bindings of(PrinterConfig config) {
        return new Bindings(Tree.object(config.bindings(), config.provider().name()));
    }

    private static Map<String, Object> option(String field, boolean usual) {
        return Map.of("field", field, "default", usual);
    }

    /** The choices of a print under the names that the printer has for them. */
    Map<String, Object> options(Map<String, Object> chosen) {
        Map<String, Object> fields = new TreeMap<>();
        Map<String, Object> known = Tree.object(tree, "printOptions");
        (known.isEmpty() ? USUAL_OPTIONS : known).forEach((name, option) -> {
            String field = Tree.text(option, "field");
            Object value = chosen.getOrDefault(name, Tree.object(option).get("default"));
            if (field != null && value != null) {
                fields.put(field, value);
            }
        });
        return fields;
    }

    /** A property of a component, by its {@code ref}. */
    String component(String ref, String property, String usual) {
        return Objects.requireNonNullElse(Tree.text(tree, "components", ref, property), usual);
    }

    /** The G-code of a command, its {@code {places}} filled. */
    String gcode(String command, String usual, Map<String, String> places) {
        String gcode = Objects.requireNonNullElse(Tree.text(tree, "commands", command, "gcode"), usual);
        for (Map.Entry<String, String> place : places.entrySet()) {
            gcode = gcode.replace("{" + place.getKey() + "}", place.getValue());
        }
        return gcode;
    }
}
