package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import farm.gantry.api.http.CsvResponses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The example request and response of each operation, as tests have sent and received them. */
final class Examples {
    static final Path FILE = Path.of("src/test/resources/operation-examples.json");

    private static final ObjectMapper MAPPER =
            new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
    private static final String JSON = "application/json";
    private static final String EXAMPLE = "example";

    private Examples() {}

    /** An exchange; either body is null if there is none of JSON. */
    record Example(@Nullable JsonNode request, @Nullable JsonNode response) {}

    static Map<String, Example> read() {
        try {
            return Files.exists(FILE)
                    ? MAPPER.readValue(FILE.toFile(), new TypeReference<TreeMap<String, Example>>() {})
                    : new TreeMap<>();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes one line for each operation, so that changes are easy to compare. */
    static void write(Map<String, Example> examples) {
        StringBuilder text = new StringBuilder();
        try {
            for (Map.Entry<String, Example> example : new TreeMap<>(examples).entrySet()) {
                text.append(text.isEmpty() ? "{\n" : ",\n")
                        .append(MAPPER.writeValueAsString(example.getKey()))
                        .append(": ")
                        .append(MAPPER.writeValueAsString(example.getValue()));
            }
            Files.writeString(FILE, text.append("\n}\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the examples to the operations. */
    static void addTo(Map<String, @Nullable Object> paths) {
        Map<String, Example> examples = read();
        for (Object path : paths.values()) {
            for (Object operation : ((Map<?, ?>) path).values()) {
                Map<?, ?> members = (Map<?, ?>) operation;
                Example example = examples.get(String.valueOf(members.get("operationId")));
                if (example != null) {
                    add(members.get("requestBody"), example.request());
                    for (String status : List.of("200", "201")) {
                        add(response(members, status), example.response());
                    }
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // made by this package
    private static void add(@Nullable Object body, @Nullable JsonNode example) {
        if (example != null
                && body instanceof Map<?, ?> members
                && members.get("content") instanceof Map<?, ?> content
                && content.get(example.isTextual() ? CsvResponses.CSV : JSON) instanceof Map<?, ?> media) {
            ((Map<String, @Nullable Object>) media).put(EXAMPLE, Trees.of(example.toString()));
        }
    }

    /** Returns the operations that have JSON in their request or response, and no example of it. */
    static List<String> missing(Map<String, @Nullable Object> description) {
        Map<?, ?> paths = (Map<?, ?>) description.getOrDefault("paths", object());
        return paths.values().stream()
                .flatMap(path -> ((Map<?, ?>) path).values().stream())
                .map(operation -> (Map<?, ?>) operation)
                .filter(operation -> lacks(operation.get("requestBody"))
                        || lacks(response(operation, "200"))
                        || lacks(response(operation, "201")))
                .map(operation -> String.valueOf(operation.get("operationId")))
                .toList();
    }

    private static @Nullable Object response(Map<?, ?> operation, String status) {
        return operation.get("responses") instanceof Map<?, ?> responses ? responses.get(status) : null;
    }

    private static boolean lacks(@Nullable Object body) {
        return body instanceof Map<?, ?> members
                && members.get("content") instanceof Map<?, ?> content
                && content.get(JSON) instanceof Map<?, ?> json
                && !json.containsKey(EXAMPLE);
    }
}
