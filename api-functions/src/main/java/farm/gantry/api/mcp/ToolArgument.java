package farm.gantry.api.mcp;

import farm.gantry.api.error.Faults;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An argument of a tool.
 *
 * @param choices the only values of a text; empty if it may be any
 * @param min the minimum of a whole number, or the minimum length of a text
 * @param max the maximum of a whole number, or the maximum length of a text
 */
record ToolArgument(
        String name, Type type, String description, boolean required, List<String> choices, int min, int max) {
    private static final int MAX_TEXT = 500;

    /** The JSON type of the value. */
    enum Type {
        STRING,
        INTEGER,
        BOOLEAN;

        private boolean isOf(JsonNode value) {
            return switch (this) {
                case STRING -> value.isString();
                case INTEGER -> value.isNumber() && value.getDoubleValue() == Math.rint(value.getDoubleValue());
                case BOOLEAN -> value.isBoolean();
            };
        }
    }

    static ToolArgument text(String name, String description) {
        return new ToolArgument(name, Type.STRING, description, false, List.of(), 1, MAX_TEXT);
    }

    static ToolArgument choice(String name, String description, List<String> choices) {
        return new ToolArgument(name, Type.STRING, description, false, choices, 1, MAX_TEXT);
    }

    static ToolArgument number(String name, String description, int min, int max) {
        return new ToolArgument(name, Type.INTEGER, description, false, List.of(), min, max);
    }

    static ToolArgument flag(String name, String description) {
        return new ToolArgument(name, Type.BOOLEAN, description, false, List.of(), 0, 0);
    }

    ToolArgument asRequired() {
        return new ToolArgument(name, type, description, true, choices, min, max);
    }

    /** Returns the JSON schema of the value. */
    Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(
                "type",
                switch (type) {
                    case STRING -> "string";
                    case INTEGER -> "integer";
                    case BOOLEAN -> "boolean";
                });
        schema.put("description", description);
        switch (type) {
            case STRING -> {
                schema.put("minLength", min);
                schema.put("maxLength", max);
                if (!choices.isEmpty()) {
                    schema.put("enum", choices);
                }
            }
            case INTEGER -> {
                schema.put("minimum", min);
                schema.put("maximum", max);
            }
            case BOOLEAN -> {}
        }
        return schema;
    }

    /** Adds what is wrong with the value. */
    void check(JsonNode value, Faults faults) {
        if (!type.isOf(value)) {
            faults.add(
                    name,
                    "type",
                    name + " must be "
                            + switch (type) {
                                case STRING -> "a text";
                                case INTEGER -> "a whole number";
                                case BOOLEAN -> "true or false";
                            });
        } else if (type == Type.INTEGER && (value.getDoubleValue() < min || value.getDoubleValue() > max)) {
            faults.add(name, "range", name + " must be " + min + " to " + max);
        } else if (type == Type.STRING) {
            int length = value.getStringValue().strip().length();
            if (length < min || length > max) {
                faults.add(name, "size", name + " must have " + min + " to " + max + " characters");
            } else if (!choices.isEmpty() && !choices.contains(value.getStringValue())) {
                faults.add(name, "enum", name + " must be one of " + String.join(", ", choices));
            }
        }
    }
}
