package farm.gantry.api.json;

import io.micronaut.json.tree.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Text that PostgreSQL can store: without NUL characters and unpaired surrogates. */
public final class StorableText {
    private StorableText() {}

    /**
     * Replaces what cannot be stored in every text of the tree; for reports of machines, which cannot be asked to
     * correct them.
     */
    public static JsonNode sanitize(JsonNode tree) {
        if (tree.isString()) {
            String text = tree.getStringValue();
            return isStorable(text) ? tree : JsonNode.createStringNode(replaceUnstorable(text));
        } else if (tree.isArray()) {
            List<JsonNode> items = new ArrayList<>();
            tree.values().forEach(item -> items.add(sanitize(item)));
            return JsonNode.createArrayNode(items);
        } else if (tree.isObject()) {
            Map<String, JsonNode> members = new LinkedHashMap<>();
            tree.entries().forEach(member -> members.put(replaceUnstorable(member.getKey()), sanitize(member.getValue())));
            return JsonNode.createObjectNode(members);
        }
        return tree;
    }

    public static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static String replaceUnstorable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', '?');
    }
}
