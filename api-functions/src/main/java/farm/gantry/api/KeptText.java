package farm.gantry.api;

import io.micronaut.json.tree.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which texts the database keeps. */
public final class KeptText {
    private KeptText() {}

    /** The tree with every text made one that can be kept: for what a machine reports, which nobody can be asked again. */
    public static JsonNode tree(JsonNode tree) {
        if (tree.isString()) {
            String text = tree.getStringValue();
            return isKept(text) ? tree : JsonNode.createStringNode(mended(text));
        } else if (tree.isArray()) {
            List<JsonNode> items = new ArrayList<>();
            tree.values().forEach(item -> items.add(tree(item)));
            return JsonNode.createArrayNode(items);
        } else if (tree.isObject()) {
            Map<String, JsonNode> members = new LinkedHashMap<>();
            tree.entries().forEach(member -> members.put(mended(member.getKey()), tree(member.getValue())));
            return JsonNode.createObjectNode(members);
        }
        return tree;
    }

    /** PostgreSQL keeps neither NUL nor a surrogate without its other half. */
    static boolean isKept(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static String mended(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', '?');
    }
}
