package farm.gantry.api.json;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON merge patch (RFC 7396) on trees: null takes a member away, an array replaces another. One thing goes beyond it:
 * arrays of components, which are objects with a {@code ref}, are merged component by component.
 */
public final class MergePatch {
    private static final String REF = "ref";

    private MergePatch() {}

    /** The target as the patch makes it. */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        return merged(target, patch, false);
    }

    /** One patch that does what the first and then the second would do; what they take away stays in it as null. */
    public static JsonNode joined(JsonNode first, JsonNode second) {
        return merged(first, second, true);
    }

    private static JsonNode merged(JsonNode target, JsonNode patch, boolean keepsNulls) {
        if (isComponents(patch)) {
            return components(isComponents(target) ? target : JsonNode.createArrayNode(List.of()), patch, keepsNulls);
        }
        if (!patch.isObject()) {
            return patch;
        }
        Map<String, JsonNode> members = new LinkedHashMap<>();
        if (target.isObject()) {
            target.entries().forEach(entry -> members.put(entry.getKey(), entry.getValue()));
        }
        patch.entries().forEach(entry -> {
            if (entry.getValue().isNull() && !keepsNulls) {
                members.remove(entry.getKey());
            } else {
                JsonNode before = members.getOrDefault(entry.getKey(), JsonNode.nullNode());
                members.put(entry.getKey(), merged(before, entry.getValue(), keepsNulls));
            }
        });
        return JsonNode.createObjectNode(members);
    }

    private static boolean isComponents(JsonNode node) {
        if (!node.isArray() || node.size() == 0) {
            return false;
        }
        for (JsonNode element : node.values()) {
            if (ref(element).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static String ref(JsonNode element) {
        JsonNode ref = element.isObject() ? element.get(REF) : null;
        return ref != null && ref.isString() ? ref.getStringValue() : "";
    }

    private static JsonNode components(JsonNode target, JsonNode patch, boolean keepsNulls) {
        Map<String, JsonNode> byRef = new LinkedHashMap<>();
        target.values().forEach(component -> byRef.put(ref(component), component));
        patch.values()
                .forEach(component -> byRef.put(
                        ref(component),
                        merged(byRef.getOrDefault(ref(component), JsonNode.nullNode()), component, keepsNulls)));
        return JsonNode.createArrayNode(new ArrayList<>(byRef.values()));
    }
}
