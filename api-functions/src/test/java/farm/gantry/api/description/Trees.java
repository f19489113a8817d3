package farm.gantry.api.description;

import farm.gantry.api.fixture.Answer;
import io.micronaut.json.tree.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Helpers for JSON as maps and lists. */
final class Trees {
    private Trees() {}

    /** Parses JSON text. */
    static Object of(String text) {
        return Objects.requireNonNull(plain(Answer.tree(text.getBytes(StandardCharsets.UTF_8))));
    }

    private static @Nullable Object plain(JsonNode tree) {
        if (tree.isArray()) {
            List<@Nullable Object> list = new ArrayList<>();
            tree.values().forEach(item -> list.add(plain(item)));
            return list;
        } else if (tree.isObject()) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            tree.entries().forEach(member -> members.put(member.getKey(), plain(member.getValue())));
            return members;
        }
        return tree.getValue();
    }

    /** Returns a JSON object of alternating names and values. */
    static Map<String, @Nullable Object> object(@Nullable Object... pairs) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            members.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return members;
    }

    /** Returns a schema that also allows null. */
    static Map<String, @Nullable Object> orNull(Map<String, @Nullable Object> schema) {
        if (schema.isEmpty()) {
            return schema;
        }
        if (schema.get("type") instanceof String type) {
            schema.put("type", List.of(type, "null"));
            if (schema.get("enum") instanceof List<?> values) {
                List<@Nullable Object> withNull = new ArrayList<>(values);
                withNull.add(null);
                schema.put("enum", withNull);
            }
            return schema;
        }
        return object("anyOf", List.of(schema, object("type", "null")));
    }
}
