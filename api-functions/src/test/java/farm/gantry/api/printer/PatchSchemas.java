package farm.gantry.api.printer;

import farm.gantry.printer.Printer;
import farm.gantry.printer.ProviderDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JSON schemas of a printer's two merge patches, from the names in {@link PrinterPatchValidator}. */
public final class PatchSchemas {
    private PatchSchemas() {}

    /** Returns the schema of the printer's field of that name. */
    public static Map<String, @Nullable Object> of(String field) {
        return switch (field) {
            case "printerAdapterBindingsPatch" -> bindings();
            case "printerCapabilityPatch" -> capability();
            default -> throw new IllegalArgumentException("the description does not know the patch " + field);
        };
    }

    private static Map<String, @Nullable Object> bindings() {
        Map<String, @Nullable Object> adapters = new TreeMap<>();
        Printer.Provider.MAKES.forEach((name, make) -> adapters.put(name, orNull(adapter(make))));
        Map<String, @Nullable Object> schema = object(adapters);
        schema.put("description", "By adapter, what is other than usual; null takes away what stands in its place.");
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, @Nullable Object> adapter(ProviderDefinition make) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("schemaVersion", orNull(typed("integer", "minimum", 1, "maximum", 1)));
        for (String objects : List.of("components", "printOptions")) {
            properties.put(objects, orNull(typed("object", "additionalProperties", orNull(typed("object")))));
        }
        Map<String, @Nullable Object> taken = new TreeMap<>();
        make.commands().forEach(command -> taken.put(command, Map.of()));
        if (!taken.isEmpty()) {
            Map<String, @Nullable Object> closed = object(taken);
            closed.put("additionalProperties", false);
            properties.put("commands", orNull(closed));
        }
        if (make.hasModules()) {
            properties.put("modules", orNull(typed("array", "items", typed("string"))));
        }
        return object(properties);
    }

    private static Map<String, @Nullable Object> capability() {
        Map<String, @Nullable Object> component = object(Map.of(
                "ref", typed("string", "pattern", "\\S"),
                "label", orNull(typed("string")),
                "kind", orNull(typed("string"))));
        component.put("required", List.of("ref"));
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        PrinterPatchValidator.COMPONENTS.forEach(
                name -> properties.put(name, orNull(typed("array", "items", component))));
        new TreeMap<>(PrinterPatchValidator.ABILITIES).forEach((name, abilities) -> {
            Map<String, @Nullable Object> flags = new TreeMap<>();
            abilities.forEach(ability -> flags.put(ability, orNull(typed("boolean"))));
            properties.put(name, orNull(object(flags)));
        });
        properties.put("gcode", orNull(typed("boolean")));
        properties.put("gcodeInOrder", orNull(typed("boolean")));
        Map<String, @Nullable Object> schema = object(properties);
        schema.put("description", "What the printer has and can do, where that is other than its make has and can.");
        return schema;
    }

    private static Map<String, @Nullable Object> object(Map<String, ?> properties) {
        return typed("object", "properties", new TreeMap<>(properties));
    }

    private static Map<String, @Nullable Object> typed(String type, Object... pairs) {
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", type);
        for (int i = 0; i < pairs.length; i += 2) {
            schema.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return schema;
    }

    private static Map<String, @Nullable Object> orNull(Map<String, @Nullable Object> schema) {
        Map<String, @Nullable Object> nullable = new LinkedHashMap<>(schema);
        nullable.put("type", List.of(String.valueOf(schema.get("type")), "null"));
        return nullable;
    }
}
