package farm.gantry.api.description;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds the parameters and fields of a request that the description does not have. */
final class DescribedNames {
    private final JsonNode description;
    private final Set<String> unknown = new TreeSet<>();

    DescribedNames(JsonNode description) {
        this.description = description;
    }

    /** Returns the unknown names; a header cannot contain the empty one. */
    Set<String> unknown() {
        unknown.remove("");
        return unknown;
    }

    /** Adds the query parameters that the operation does not have. */
    void addParameters(JsonNode operation, String query) {
        Set<String> known = new TreeSet<>();
        operation.path("parameters").forEach(each -> {
            JsonNode parameter = resolved(each);
            if (parameter.path("in").asText().equals("query")) {
                known.add(parameter.path("name").asText());
            }
        });
        for (String pair : query.split("[&;]", -1)) {
            String name = decoded(pair.split("=", 2)[0]);
            if (!name.isEmpty() && !known.contains(name) && !known.contains(name.split("\\.", 2)[0])) {
                unknown.add(name);
            }
        }
    }

    /** Returns the text itself if its escapes are incomplete, as the server reads it. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** Adds the fields that the schema does not have. */
    void addFields(JsonNode given, JsonNode value, String path) {
        JsonNode schema = variant(resolved(given), value);
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                addFields(schema.path("items"), value.get(i), path + "[" + i + "]");
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            if (schema.path("properties").has(field.getKey())) {
                addFields(schema.path("properties").path(field.getKey()), field.getValue(), at);
            } else if (schema.has("properties")) {
                unknown.add(at);
            } else {
                addFields(schema.path("additionalProperties"), field.getValue(), at);
            }
        }
    }

    /** Returns the one of several schemas that the value is an instance of. */
    private JsonNode variant(JsonNode schema, JsonNode value) {
        JsonNode by = schema.path("discriminator");
        if (by.isObject()) {
            String named = value.path(by.path("propertyName").asText()).asText();
            JsonNode mapped = by.path("mapping").path(named);
            return mapped.isTextual() ? description.at(mapped.asText().substring(1)) : description.path("none");
        }
        List<JsonNode> several = new ArrayList<>();
        Stream.of("anyOf", "oneOf").forEach(joined -> schema.path(joined).forEach(several::add));
        return several.stream()
                .map(each -> variant(resolved(each), value))
                .filter(each -> value.isArray() == each.path("type").asText().equals("array"))
                .findFirst()
                .orElse(schema);
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref")
                ? resolved(description.at(node.path("$ref").asText().substring(1)))
                : node;
    }
}
