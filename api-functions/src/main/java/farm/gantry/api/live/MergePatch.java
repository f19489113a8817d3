package farm.gantry.api.live;

import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON merge patch (RFC 7396) on trees. */
public final class MergePatch {
    private MergePatch() {}

    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        Map<String, JsonNode> merged = new LinkedHashMap<>();
        if (target.isObject()) {
            target.entries().forEach(entry -> merged.put(entry.getKey(), entry.getValue()));
        }
        patch.entries().forEach(entry -> {
            if (entry.getValue().isNull()) {
                merged.remove(entry.getKey());
            } else {
                merged.put(
                        entry.getKey(),
                        apply(merged.getOrDefault(entry.getKey(), JsonNode.nullNode()), entry.getValue()));
            }
        });
        return JsonNode.createObjectNode(merged);
    }
}
