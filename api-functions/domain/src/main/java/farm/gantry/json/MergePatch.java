package farm.gantry.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** RFC 7396: the difference of two JSON objects, and its application. A null member means "gone". */
public final class MergePatch {
    private MergePatch() {}

    public static Map<String, @Nullable Object> between(Map<String, ?> before, Map<String, ?> after) {
        Map<String, @Nullable Object> patch = new LinkedHashMap<>();
        before.keySet().stream()
                .filter(name -> before.get(name) != null && after.get(name) == null)
                .forEach(name -> patch.put(name, null));
        after.forEach((name, value) -> {
            Object old = before.get(name);
            if (value instanceof Map<?, ?> map && old instanceof Map<?, ?> oldMap) {
                Map<String, @Nullable Object> inner = between(Tree.object(oldMap), Tree.object(map));
                if (!inner.isEmpty()) {
                    patch.put(name, inner);
                }
            } else if (value != null && !Objects.equals(old, value)) {
                patch.put(name, value);
            }
        });
        return patch;
    }

    public static Map<String, @Nullable Object> apply(Map<String, ?> target, Map<String, ?> patch) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>(target);
        patch.forEach((name, value) -> {
            if (value == null) {
                result.remove(name);
            } else if (value instanceof Map<?, ?> map) {
                result.put(name, apply(Tree.object(result.get(name)), Tree.object(map)));
            } else {
                result.put(name, value);
            }
        });
        return result;
    }
}
