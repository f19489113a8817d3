package farm.gantry.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reading of a JSON tree that somebody else made: what is absent or of another type is null. */
public final class Tree {
    private Tree() {}

    public static Map<String, Object> object(@Nullable Object tree, String... path) {
        return valueAt(tree, path) instanceof Map<?, ?> map ? typed(map) : Map.of();
    }

    public static @Nullable String text(@Nullable Object tree, String... path) {
        return valueAt(tree, path) instanceof String text ? text : null;
    }

    public static @Nullable Double number(@Nullable Object tree, String... path) {
        return valueAt(tree, path) instanceof Number number ? (Double) number.doubleValue() : null;
    }

    public static double number(@Nullable Object tree, String name, double absent) {
        Double number = number(tree, name);
        return number == null ? absent : number;
    }

    public static @Nullable Integer integer(@Nullable Object tree, String... path) {
        return valueAt(tree, path) instanceof Number number ? (Integer) number.intValue() : null;
    }

    public static boolean flag(@Nullable Object tree, String... path) {
        return valueAt(tree, path) instanceof Boolean value && value;
    }

    public static List<?> list(@Nullable Object tree, String... path) {
        return valueAt(tree, path) instanceof List<?> list ? list : List.of();
    }

    private static @Nullable Object valueAt(@Nullable Object tree, String... path) {
        Object here = tree;
        for (String name : path) {
            here = here instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return here;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> typed(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
