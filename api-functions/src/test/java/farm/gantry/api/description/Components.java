package farm.gantry.api.description;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The schemas that the description needs, without duplicates. */
final class Components {
    private static final String SCHEMAS = "#/components/schemas/";
    private static final String INPUT = "Input";

    private Components() {}

    /** Removes unreferenced schemas, and merges the schema of a request body with an equal one of a response. */
    @SuppressWarnings("unchecked") // we made it
    static Map<String, @Nullable Object> settled(Map<String, @Nullable Object> description) {
        Map<String, @Nullable Object> components = (Map<String, @Nullable Object>) description.get("components");
        Map<String, @Nullable Object> schemas = (Map<String, @Nullable Object>)
                Objects.requireNonNull(components).get("schemas");
        Set<String> used = used(description, Objects.requireNonNull(schemas));
        Map<String, String> names = new LinkedHashMap<>();
        for (String name : used) {
            String bare = name.endsWith(INPUT) ? name.substring(0, name.length() - INPUT.length()) : name;
            boolean same = !used.contains(bare)
                    || expanded(schemas.get(name), schemas, List.of())
                            .equals(expanded(schemas.get(bare), schemas, List.of()));
            names.put(name, same ? bare : name);
        }
        Map<String, @Nullable Object> described = new TreeMap<>();
        names.forEach((name, settled) -> described.put(settled, schemas.get(name)));
        components.put("schemas", described);
        return (Map<String, @Nullable Object>) Objects.requireNonNull(mapped(
                description,
                reference -> SCHEMAS
                        + names.getOrDefault(
                                reference.substring(SCHEMAS.length()), reference.substring(SCHEMAS.length()))));
    }

    private static Set<String> used(Map<String, @Nullable Object> description, Map<String, @Nullable Object> schemas) {
        Set<String> used = new LinkedHashSet<>();
        List<@Nullable Object> open = new ArrayList<>();
        description.forEach((name, value) -> {
            if (name.equals("components")) {
                ((Map<?, ?>) Objects.requireNonNull(value)).forEach((kind, each) -> {
                    if (!kind.equals("schemas")) {
                        open.add(each);
                    }
                });
            } else {
                open.add(value);
            }
        });
        while (!open.isEmpty()) {
            mapped(open.removeLast(), reference -> {
                String name = reference.substring(SCHEMAS.length());
                if (used.add(name)) {
                    open.add(schemas.get(name));
                }
                return reference;
            });
        }
        return used;
    }

    /** Returns the tree with each reference replaced by its schema, except recursive ones. */
    private static Object expanded(@Nullable Object tree, Map<String, @Nullable Object> schemas, List<String> within) {
        return switch (tree) {
            case Map<?, ?> map
            when map.get("$ref") instanceof String reference && reference.startsWith(SCHEMAS) ->
                within.contains(reference)
                        ? reference
                        : expanded(
                                schemas.get(reference.substring(SCHEMAS.length())),
                                schemas,
                                Stream.concat(within.stream(), Stream.of(reference))
                                        .toList());
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((name, value) ->
                        copy.put(name, name.equals("mapping") ? "" : expanded(value, schemas, within)));
                yield copy;
            }
            case List<?> list ->
                list.stream().map(each -> expanded(each, schemas, within)).toList();
            case null -> "null";
            default -> tree;
        };
    }

    /** Returns a copy with each reference to a schema replaced. */
    private static @Nullable Object mapped(@Nullable Object tree, UnaryOperator<String> references) {
        return switch (tree) {
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
                map.forEach((name, value) -> copy.put(name, mapped(value, references)));
                yield copy;
            }
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(each -> copy.add(mapped(each, references)));
                yield copy;
            }
            case String text when text.startsWith(SCHEMAS) -> references.apply(text);
            case null, default -> tree;
        };
    }
}
