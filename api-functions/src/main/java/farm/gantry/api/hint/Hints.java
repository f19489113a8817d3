package farm.gantry.api.hint;

import farm.gantry.Permission;
import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.security.Caller;
import io.micronaut.core.util.SupplierUtil;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Suggests calls that a caller may make next with a list or a record, taken from the API description. */
@Singleton
public final class Hints {
    private final Supplier<List<ApiOperation>> operations;
    private final Supplier<SchemaDefinitions> types;

    Hints(OpenApiDescription description) {
        this.operations = SupplierUtil.memoized(() -> ApiOperation.all(description.tree()));
        this.types = SupplierUtil.memoized(
                () -> new SchemaDefinitions(ApiOperation.members(description.tree(), "components", "schemas")));
    }

    SchemaDefinitions types() {
        return types.get();
    }

    /** Returns calls with the list at this path ({@code /v1/macros}): create, search, change or delete records. */
    public List<Hint> ofList(Caller caller, String path) {
        return allowed(
                caller,
                operation -> !operation.isRead() && (operation.path().equals(path) || isAction(operation.path(), path)),
                operation -> operation.path());
    }

    /** Returns whether the path is one segment below the list's and is not a list itself. */
    private boolean isAction(String below, String path) {
        return below.startsWith(path + "/")
                && !below.substring(path.length() + 1).matches(".*[/{].*")
                && operations.get().stream()
                        .noneMatch(each -> each.isRead() && each.path().equals(below));
    }

    /** Returns calls with the record of that id in the list at this path. */
    public List<Hint> ofRecord(Caller caller, String path, String id) {
        String one = path + "/{id}";
        return allowed(
                caller,
                operation -> operation.path().startsWith(one + "/")
                        || (operation.path().equals(one) && !operation.isRead()),
                operation -> path + "/" + id + operation.path().substring(one.length()));
    }

    private List<Hint> allowed(Caller caller, Predicate<ApiOperation> filter, Function<ApiOperation, String> place) {
        return operations.get().stream()
                .filter(filter)
                .filter(operation -> !operation.isDeprecated())
                .filter(operation -> operation.permissions().stream().allMatch(caller::hasPermission))
                .map(operation -> operation.hint(place.apply(operation), briefSchema(operation), null))
                .toList();
    }

    private Map<String, Object> briefSchema(ApiOperation operation) {
        return types.get().ownMembers(operation.requestSchema());
    }

    /** Returns for each resource the call that lists its operations. */
    List<Hint> resources() {
        Map<String, List<ApiOperation>> byPath = new LinkedHashMap<>();
        operations
                .get()
                .forEach(operation -> byPath.computeIfAbsent(operation.resourcePath(), _ -> new ArrayList<>())
                        .add(operation));
        return byPath.entrySet().stream()
                .map(resource -> new Hint(
                        "getHints",
                        resource.getValue().getFirst().tag() + ": "
                                + formatCallCount(resource.getValue().size()),
                        "GET",
                        "/v1/hints/path" + resource.getKey(),
                        null,
                        null))
                .toList();
    }

    private static String formatCallCount(int count) {
        return count == 1 ? "1 call" : count + " calls";
    }

    /** Returns every operation at or below the path, with the permissions that it requires. */
    List<Hint> at(String path) {
        return operations.get().stream()
                .filter(operation -> isAtOrBelow(operation.path(), path))
                .map(operation -> operation.hint(operation.path(), briefSchema(operation), condition(operation)))
                .toList();
    }

    private static boolean isAtOrBelow(String template, String path) {
        List<String> templates = Arrays.asList(template.split("/", -1));
        List<String> segments = Arrays.asList(path.split("/", -1));
        if (templates.size() < segments.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!templates.get(i).startsWith("{") && !templates.get(i).equals(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String condition(ApiOperation operation) {
        List<Permission> needed = operation.permissions();
        return needed.isEmpty()
                ? null
                : "needs " + needed.stream().map(Permission::wireName).collect(Collectors.joining(" and "));
    }

    /** Returns the request and response JSON schemas by method, of all paths or of {@code only}. */
    Map<String, Object> paths(Optional<String> only) {
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        operations.get().stream()
                .filter(operation -> only.isEmpty() || isOne(operation.path(), only.get()))
                .forEach(operation -> paths.computeIfAbsent(operation.path(), _ -> new LinkedHashMap<>())
                        .put(operation.method(), requestAndResponseSchemas(operation, only.isPresent())));
        return new LinkedHashMap<>(paths);
    }

    private static boolean isOne(String template, String path) {
        return isAtOrBelow(template, path) && template.split("/", -1).length == path.split("/", -1).length;
    }

    private Map<String, Object> requestAndResponseSchemas(ApiOperation operation, boolean whole) {
        Map<String, Object> schemas = new LinkedHashMap<>();
        put(schemas, "body", operation.requestSchema(), whole);
        put(schemas, "answer", operation.responseSchema(), whole);
        return schemas;
    }

    private void put(Map<String, Object> schemas, String name, Map<?, ?> schema, boolean whole) {
        if (!schema.isEmpty()) {
            schemas.put(
                    name,
                    whole ? types.get().selfContained(schema) : types.get().withTypeUrls(schema));
        }
    }
}
