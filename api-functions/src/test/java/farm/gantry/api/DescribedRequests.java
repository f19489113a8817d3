package farm.gantry.api;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Requests made from the description, with {@link #VARIED} in the place of one id: bodies hold what is required, and own ids
 * of the kind that a field's name tells.
 */
record DescribedRequests(Map<String, ?> description, Map<String, String> own) {
    static final String VARIED = "VARIED";

    private static final Pattern ID = Pattern.compile("(?:.*[a-z])?Ids?|ids?");
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]*)}");
    private static final List<String> FILTERS =
            List.of("id", "storeId", "partId", "skuId", "printerId", "materialId", "folderId", "orderId", "groupId");
    private static final int DEEPEST = 6;

    record Operation(String method, String path, @Nullable Map<?, ?> body) {}

    /** Those that an API key opens. */
    List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        ((Map<?, ?>) Objects.requireNonNull(description.get("paths")))
                .forEach((path, methods) -> ((Map<?, ?>) methods).forEach((method, operation) -> {
                    if (((Map<?, ?>) operation).containsKey("x-permission") && !path.equals("/v1/stream")) {
                        operations.add(new Operation(
                                String.valueOf(method).toUpperCase(Locale.ROOT),
                                String.valueOf(path),
                                schema((Map<?, ?>) operation)));
                    }
                }));
        return operations;
    }

    private static @Nullable Map<?, ?> schema(Map<?, ?> operation) {
        return operation.get("requestBody") instanceof Map<?, ?> body
                        && body.get("content") instanceof Map<?, ?> content
                        && content.get("application/json") instanceof Map<?, ?> json
                ? (Map<?, ?>) json.get("schema")
                : null;
    }

    /** A target or a body with the varied id, and the word that tells of what it is. */
    record Slot(String text, String word) {}

    /** The target with the varied id in its path, or those of a list with it in each filter by an id. */
    List<Slot> inTarget(Operation operation) {
        if (operation.path().contains("{")) {
            return List.of(new Slot(PARAMETER.matcher(operation.path()).replaceAll(VARIED), word(operation)));
        } else if (!operation.method().equals("GET")) {
            return List.of();
        }
        return FILTERS.stream()
                .map(field -> new Slot(operation.path() + "?meta=true&" + field + "=" + VARIED, word(operation, field)))
                .toList();
    }

    /** The last word of the path before an id. */
    private static String word(Operation operation) {
        String path = operation.path().replaceFirst("/v\\d/", "").replaceFirst("/(\\{|search$).*", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String word(Operation operation, String field) {
        return field.toLowerCase(Locale.ROOT).matches("ids?") ? word(operation) : field.replaceFirst("Ids?$", "");
    }

    /** The address with our own record in the path. */
    String ownTarget(Operation operation) {
        Matcher parameter = PARAMETER.matcher(operation.path());
        return parameter.replaceAll(found -> ownOf(word(operation)));
    }

    private String ownOf(String word) {
        return kind(own.keySet(), word).map(own::get).orElseGet(SharedApi::unknownId);
    }

    /** The kind of record that a word of a path or of a field names. */
    static Optional<String> kind(Set<String> kinds, String word) {
        String wanted = word.replace("-", "").toLowerCase(Locale.ROOT);
        return kinds.stream()
                .filter(kind -> wanted.startsWith(kind.toLowerCase(Locale.ROOT))
                        || kind.toLowerCase(Locale.ROOT).endsWith(wanted.replaceFirst("s$", "")))
                .max(Comparator.comparingInt(String::length));
    }

    /** What the operation needs at least. */
    String least(Operation operation) {
        return operation.body() == null ? "{}" : json(least(operation.body(), "", DEEPEST));
    }

    /** The least bodies with one of the ids that they may hold varied. */
    List<Slot> inBody(Operation operation, List<String> freeText) {
        if (operation.body() == null) {
            return List.of();
        } else if (operation.path().endsWith("/search")) {
            return FILTERS.stream()
                    .map(field ->
                            new Slot("{\"filter\":{\"" + field + "\":\"" + VARIED + "\"}}", word(operation, field)))
                    .toList();
        }
        return varied(operation.body(), "ids", DEEPEST, freeText).entrySet().stream()
                .map(body -> new Slot(json(body.getKey()), word(operation, body.getValue())))
                .toList();
    }

    private static String json(@Nullable Object tree) {
        try {
            return SharedApi.bean(ObjectMapper.class).writeValueAsString(Argument.of(Object.class), tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<?, ?> resolved(Map<?, ?> schema) {
        if (schema.get("$ref") instanceof String reference) {
            Map<?, ?> components = (Map<?, ?>) Objects.requireNonNull(description.get("components"));
            Map<?, ?> schemas = (Map<?, ?>) Objects.requireNonNull(components.get("schemas"));
            return resolved((Map<?, ?>)
                    Objects.requireNonNull(schemas.get(reference.substring(reference.lastIndexOf('/') + 1))));
        }
        for (String several : List.of("anyOf", "oneOf")) {
            if (schema.get(several) instanceof List<?> choices) {
                return resolved((Map<?, ?>) Objects.requireNonNull(choices.getFirst()));
            }
        }
        return schema;
    }

    private @Nullable Object least(Map<?, ?> given, String name, int depth) {
        Map<?, ?> schema = resolved(given);
        String type = schema.get("type") instanceof List<?> types
                ? String.valueOf(types.getFirst())
                : String.valueOf(schema.get("type"));
        if (depth == 0) {
            return null;
        } else if (schema.get("enum") instanceof List<?> words) {
            return words.getFirst();
        } else if (schema.containsKey("const")) {
            return schema.get("const");
        }
        return switch (type) {
            case "string" ->
                "date-time".equals(schema.get("format"))
                        ? "2026-01-01T00:00:00Z"
                        : ID.matcher(name).matches()
                                ? ownOf(name.replaceFirst("Ids?$", ""))
                                : "a" + SharedApi.unknownId();
            case "integer", "number" -> schema.containsKey("minimum") ? schema.get("minimum") : 1;
            case "boolean" -> true;
            case "array" ->
                schema.get("items") instanceof Map<?, ?> items && schema.containsKey("minItems")
                        ? List.of(Objects.requireNonNullElse(least(items, name, depth - 1), "a"))
                        : List.of();
            case String _ -> leastObject(schema, depth);
        };
    }

    private Map<String, @Nullable Object> leastObject(Map<?, ?> schema, int depth) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        if (schema.get("required") instanceof List<?> required) {
            Map<?, ?> properties = (Map<?, ?>) Objects.requireNonNull(schema.get("properties"));
            required.forEach(name -> members.put(
                    String.valueOf(name),
                    least((Map<?, ?>) Objects.requireNonNull(properties.get(name)), String.valueOf(name), depth - 1)));
        }
        return members;
    }

    /** Each with the name of the field that is varied. */
    private Map<Object, String> varied(Map<?, ?> given, String name, int depth, List<String> freeText) {
        Map<?, ?> schema = resolved(given);
        Map<Object, String> varied = new LinkedHashMap<>();
        if (depth == 0 || freeText.contains(name)) {
            return varied;
        }
        boolean isText = "string".equals(schema.get("type"))
                || (schema.get("type") instanceof List<?> types && types.contains("string"));
        if (isText && ID.matcher(name).matches()) {
            varied.put(VARIED, name);
        } else if (schema.get("items") instanceof Map<?, ?> items) {
            varied(items, name, depth - 1, freeText).forEach((each, of) -> varied.put(List.of(each), of));
        } else if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((property, of) -> varied(
                            (Map<?, ?>) Objects.requireNonNull(of), String.valueOf(property), depth - 1, freeText)
                    .forEach((each, field) -> {
                        Map<String, @Nullable Object> body = leastObject(schema, depth);
                        body.put(String.valueOf(property), each);
                        varied.put(body, field);
                    }));
        }
        return varied;
    }
}
