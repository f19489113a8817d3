package farm.gantry.api.description;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Moves parameters of several operations to the shared components, so that each is written once. */
final class SharedParameters {
    private final Map<Object, Integer> uses = new HashMap<>();
    private final Map<Object, String> names = new HashMap<>();
    private final Map<String, @Nullable Object> components;

    /** Adds shared parameters to the components of the description. */
    SharedParameters(Map<String, @Nullable Object> components) {
        this.components = components;
    }

    /** Replaces each parameter that occurs twice in the paths by a reference. */
    void replace(Map<String, @Nullable Object> paths) {
        List<List<Object>> lists = new ArrayList<>();
        for (Object path : paths.values()) {
            for (Object operation : ((Map<?, ?>) path).values()) {
                if (((Map<?, ?>) operation).get("parameters") instanceof List<?> list) {
                    lists.add(cast(list));
                }
            }
        }
        lists.forEach(list -> list.forEach(parameter -> uses.merge(parameter, 1, Integer::sum)));
        lists.forEach(list -> list.replaceAll(this::shared));
    }

    @SuppressWarnings("unchecked") // made by this package
    private static List<Object> cast(List<?> list) {
        return (List<Object>) list;
    }

    private Object shared(Object parameter) {
        Map<?, ?> members = (Map<?, ?>) parameter;
        if (members.containsKey("$ref") || uses.getOrDefault(parameter, 0) < 2) {
            return parameter;
        }
        return Parameters.reference(names.computeIfAbsent(parameter, this::add));
    }

    private String add(Object parameter) {
        Map<?, ?> members = (Map<?, ?>) parameter;
        boolean isInPath = "path".equals(members.get("in"));
        String base = isInPath ? "path." + members.get("name") : String.valueOf(members.get("name"));
        String name = base;
        for (int i = 2; components.containsKey(name); i++) {
            name = base + "-" + i;
        }
        components.put(name, parameter);
        return name;
    }
}
