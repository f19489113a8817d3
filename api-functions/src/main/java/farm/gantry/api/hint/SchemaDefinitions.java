package farm.gantry.api.hint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The description's schemas, cut out so that each can be read alone. */
record SchemaDefinitions(Map<?, ?> named) {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
    private static final String KEPT = "#/components/schemas/";
    private static final String INSIDE = "#/$defs/";
    private static final String TYPES = "/v1/hints/schema/types/";

    /** All of them, in one JSON schema. */
    Map<String, Object> all() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", DIALECT);
        schema.put("$defs", withReferences(new TreeMap<>(named), SchemaDefinitions::inside));
        return schema;
    }

    /** The one of that name, with those it needs. */
    Optional<Map<String, Object>> selfContained(String name) {
        return named.get(name) instanceof Map<?, ?> schema ? Optional.of(selfContained(schema)) : Optional.empty();
    }

    /** The schema, with those it needs. */
    Map<String, Object> selfContained(Map<?, ?> schema) {
        Map<String, Object> needed = new TreeMap<>();
        Deque<Object> open = new ArrayDeque<>(List.of(schema));
        while (!open.isEmpty()) {
            withReferences(open.pop(), reference -> {
                String name = reference.substring(KEPT.length());
                Object found = named.get(name);
                if (found != null && needed.putIfAbsent(name, found) == null) {
                    open.push(found);
                }
                return reference;
            });
        }
        Map<String, Object> alone = new LinkedHashMap<>();
        alone.put("$schema", DIALECT);
        alone.putAll(strings(withReferences(schema, SchemaDefinitions::inside)));
        if (!needed.isEmpty()) {
            alone.put("$defs", withReferences(needed, SchemaDefinitions::inside));
        }
        return alone;
    }

    /** The schema's own members; what lies deeper is named by its address. */
    Map<String, Object> ownMembers(Map<?, ?> schema) {
        Map<?, ?> own = schema.get("$ref") instanceof String reference
                        && named.get(reference.substring(KEPT.length())) instanceof Map<?, ?> found
                ? found
                : schema;
        return withTypeUrls(own);
    }

    /** The schema with its types named by their addresses. */
    Map<String, Object> withTypeUrls(Map<?, ?> schema) {
        return strings(withReferences(schema, reference -> TYPES + reference.substring(KEPT.length())));
    }

    private static String inside(String reference) {
        return INSIDE + reference.substring(KEPT.length());
    }

    @SuppressWarnings("unchecked") // the members of a JSON object are named by text
    private static Map<String, Object> strings(@Nullable Object object) {
        return (Map<String, Object>) Objects.requireNonNull(object);
    }

    /** A copy with each reference to a schema replaced. */
    private static @Nullable Object withReferences(@Nullable Object tree, UnaryOperator<String> references) {
        return switch (tree) {
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
                map.forEach((name, value) -> copy.put(name, withReferences(value, references)));
                yield copy;
            }
            case List<?> list ->
                list.stream().map(each -> withReferences(each, references)).toList();
            case String text when text.startsWith(KEPT) -> references.apply(text);
            case null, default -> tree;
        };
    }
}
