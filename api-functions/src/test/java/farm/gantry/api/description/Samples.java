package farm.gantry.api.description;

import farm.gantry.Id;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds example responses from a request body, and fills in missing fields from the schema. */
record Samples(Map<String, Map<String, @Nullable Object>> named) {
    private static final String ID = "0mwq3f7k2v9x4b8n1c6z5t0p";
    private static final String TIME = "2026-11-21T14:08:12.310Z";

    /** Returns an example of the schema; {@code given} is the request body that creates the record. */
    Object of(String name, Object given) {
        Map<Object, @Nullable Object> made = defaults(name + Schemas.Use.INSERT.suffix());
        made.putAll((Map<?, ?>) given);
        return complete(Schemas.reference(name), made);
    }

    private Map<Object, @Nullable Object> defaults(String name) {
        Map<Object, @Nullable Object> defaults = new LinkedHashMap<>();
        properties(named.getOrDefault(name, Map.of())).forEach((property, schema) -> {
            if (((Map<?, ?>) schema).containsKey("default")) {
                defaults.put(property, ((Map<?, ?>) schema).get("default"));
            }
        });
        return defaults;
    }

    private static Map<?, ?> properties(Map<?, ?> schema) {
        return schema.get("properties") instanceof Map<?, ?> properties ? properties : Map.of();
    }

    private Object complete(Map<?, ?> schema, Object given) {
        if (schema.get("$ref") instanceof String reference) {
            String name = reference.substring(Schemas.REFERENCE.length());
            return complete(named.getOrDefault(name, Map.of()), given);
        } else if (schema.get("anyOf") instanceof List<?> several) {
            return complete((Map<?, ?>) several.getFirst(), given);
        } else if (schema.get("discriminator") instanceof Map<?, ?> by
                && by.get("mapping") instanceof Map<?, ?> mapping
                && given instanceof Map<?, ?> members) {
            Object variant = mapping.get(members.get(by.get("propertyName")));
            return complete(Map.of("$ref", String.valueOf(variant)), given);
        } else if (given instanceof List<?> list && schema.get("items") instanceof Map<?, ?> items) {
            return list.stream().map(each -> complete(items, each)).toList();
        } else if (given instanceof Map<?, ?> members && schema.containsKey("properties")) {
            return filled(schema, members);
        }
        return given;
    }

    private Map<Object, @Nullable Object> filled(Map<?, ?> schema, Map<?, ?> members) {
        List<?> required = schema.get("required") instanceof List<?> names ? names : List.of();
        Map<Object, @Nullable Object> filled = new LinkedHashMap<>();
        properties(schema).forEach((name, property) -> {
            Object given = members.get(name);
            if (given != null) {
                filled.put(name, complete((Map<?, ?>) property, given));
            } else if (required.contains(name)) {
                filled.put(name, any((Map<?, ?>) property));
            }
        });
        return filled;
    }

    private @Nullable Object any(Map<?, ?> schema) {
        if (schema.containsKey("anyOf") || schema.get("type") instanceof List<?>) {
            return null;
        } else if (schema.get("enum") instanceof List<?> words) {
            return words.getFirst();
        } else if ("date-time".equals(schema.get("format"))) {
            return TIME;
        } else if (Id.PATTERN.equals(schema.get("pattern"))) {
            return ID;
        }
        return switch (String.valueOf(schema.get("type"))) {
            case "string" -> schema.containsKey("x-secret") ? "redacted" : schema.containsKey("minLength") ? ID : "";
            case "integer", "number" -> schema.containsKey("minimum") ? schema.get("minimum") : 0;
            case "boolean" -> false;
            case "array" -> new ArrayList<>();
            default -> complete(schema, Map.of());
        };
    }
}
