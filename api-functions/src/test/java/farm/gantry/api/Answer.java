package farm.gantry.api;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What came back, as it stood on the wire. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Answer(int status, Map<String, List<String>> headers, byte[] body) {
    private static final JsonMapper MAPPER = JsonMapper.createDefault();

    public Answer {
        Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(headers);
        headers = sorted;
    }

    public @Nullable String header(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : String.join(",", values);
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public JsonNode json() {
        return tree(body);
    }

    public static JsonNode tree(byte[] json) {
        try {
            JsonNode tree = MAPPER.readValue(json, Argument.of(JsonNode.class));
            return tree == null ? JsonNode.nullNode() : tree;
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON: " + new String(json, StandardCharsets.UTF_8), e);
        }
    }

    /** The value at {@code details[0].path}; null when it is null, and {@code "(absent)"} when it is not there. */
    public @Nullable Object at(String path) {
        return at(json(), path);
    }

    public static @Nullable Object at(JsonNode tree, String path) {
        JsonNode node = tree;
        for (String name : path.replace("[", ".").replace("]", "").split("\\.", -1)) {
            if (!name.isEmpty()) {
                node = node.isArray() ? element(node, Integer.parseInt(name)) : node.get(name);
                if (node == null) {
                    return "(absent)";
                }
            }
        }
        return node.getValue();
    }

    private static @Nullable JsonNode element(JsonNode array, int index) {
        return index < array.size() ? array.get(index) : null;
    }

    /** Each element's member of that name, as text, in the order of the list. */
    public List<String> each(String member) {
        JsonNode tree = json();
        JsonNode list = tree.isArray() ? tree : tree.get("data");
        List<String> members = new ArrayList<>();
        for (JsonNode element : list == null ? List.<JsonNode>of() : list.values()) {
            members.add(String.valueOf(at(element, member)));
        }
        return members;
    }
}
