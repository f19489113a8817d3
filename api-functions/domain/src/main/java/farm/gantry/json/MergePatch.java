package farm.gantry.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates, applies and joins JSON merge patches (RFC 7396) on trees of maps and lists: a null member removes, an array replaces. One
 * extension: arrays of components, which are objects with a {@code ref}, are merged component by component.
 */
public final class MergePatch {
    private static final String REF = "ref";

    private MergePatch() {}

    /** Returns the patch that turns {@code before} into {@code after}. */
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

    /** Returns the target with the patch applied. */
    public static Map<String, Object> apply(Map<String, ?> target, Map<String, ?> patch) {
        return Tree.object(merged(target, patch, false));
    }

    /** Returns one patch with the effect of the first and then the second. Members that they remove stay in it as null. */
    public static @Nullable Object join(@Nullable Object first, @Nullable Object second) {
        return merged(first, second, true);
    }

    private static @Nullable Object merged(@Nullable Object target, @Nullable Object patch, boolean keepsNulls) {
        if (patch instanceof List<?> list && isComponents(list)) {
            return components(target, list, keepsNulls);
        } else if (!(patch instanceof Map<?, ?>)) {
            return patch;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>(Tree.object(target));
        Tree.object(patch).forEach((name, value) -> {
            if (value == null && !keepsNulls) {
                members.remove(name);
            } else {
                members.put(name, merged(members.get(name), value, keepsNulls));
            }
        });
        return members;
    }

    private static boolean isComponents(List<?> list) {
        return !list.isEmpty() && list.stream().noneMatch(each -> ref(each).isEmpty());
    }

    private static String ref(@Nullable Object element) {
        return Objects.requireNonNullElse(Tree.text(element, REF), "");
    }

    private static List<@Nullable Object> components(@Nullable Object target, List<?> patch, boolean keepsNulls) {
        Map<String, @Nullable Object> byRef = new LinkedHashMap<>();
        if (target instanceof List<?> list && isComponents(list)) {
            list.forEach(component -> byRef.put(ref(component), component));
        }
        patch.forEach(component -> byRef.put(ref(component), merged(byRef.get(ref(component)), component, keepsNulls)));
        return new ArrayList<>(byRef.values());
    }
}
