package farm.gantry.api.hint;

import farm.gantry.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An operation of the API: a method and a path, and its entry in the API description. */
record ApiOperation(String method, String path, Map<?, ?> described) {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");

    static List<ApiOperation> all(Map<String, @Nullable Object> description) {
        List<ApiOperation> all = new ArrayList<>();
        members(description, "paths")
                .forEach((path, item) -> ((Map<?, ?>) item).forEach((method, operation) -> {
                    if (METHODS.contains(method)) {
                        all.add(new ApiOperation(
                                method.toString().toUpperCase(Locale.ROOT), path.toString(), (Map<?, ?>) operation));
                    }
                }));
        return List.copyOf(all);
    }

    /** Returns the object at the path of names; empty if there is none. */
    static Map<?, ?> members(Map<?, ?> tree, String... names) {
        Map<?, ?> found = tree;
        for (String name : names) {
            found = found.get(name) instanceof Map<?, ?> inner ? inner : Map.of();
        }
        return found;
    }

    boolean isRead() {
        return method.equals("GET");
    }

    /** Returns the path of the resource: the first two segments of the operation's. */
    String resourcePath() {
        String[] segments = path.split("/", -1);
        return "/" + segments[1] + "/" + segments[2];
    }

    /** Returns the name under which the description groups the operation. */
    String tag() {
        return described.get("tags") instanceof List<?> tags ? String.valueOf(tags.getFirst()) : path;
    }

    boolean isDeprecated() {
        return Boolean.TRUE.equals(described.get("deprecated"));
    }

    List<Permission> permissions() {
        return described.get("x-permission") instanceof List<?> names
                ? names.stream()
                        .flatMap(name -> Permission.parse(name.toString()).stream())
                        .toList()
                : List.of();
    }

    /** Returns the schema of its JSON request body; empty if it has none. */
    Map<?, ?> requestSchema() {
        return members(described, "requestBody", "content", "application/json", "schema");
    }

    /** Returns the schema of its JSON response; empty if it has none. */
    Map<?, ?> responseSchema() {
        Map<?, ?> responses = members(described, "responses");
        String status = responses.containsKey("200") ? "200" : "201";
        return members(responses, status, "content", "application/json", "schema");
    }

    Hint hint(String at, Map<String, Object> bodySchema, @Nullable String condition) {
        return new Hint(
                String.valueOf(described.get("operationId")),
                (isDeprecated() ? "Deprecated: " : "") + described.get("summary"),
                method,
                at,
                bodySchema.isEmpty() ? null : bodySchema,
                condition);
    }
}
