package farm.gantry.api.description;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.SharedApi;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Checks each response that a test gets, and each accepted request body, against the API's description. */
public final class DescriptionCheck {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final DescriptionCheck DESCRIBED =
            new DescriptionCheck(tree(SharedApi.bean(OpenApiDescription.class).json()));

    private final ObjectNode description;
    private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();

    private DescriptionCheck(JsonNode description) {
        this.description = (ObjectNode) description;
    }

    /** Fails when the exchange contradicts the description. */
    public static void check(Call call, Answer answer) {
        if (answer.header("Deprecation") != null || answer.header("Sunset") != null) {
            throw new AssertionError("no answer carries Deprecation or Sunset: " + call.target());
        }
        int query = call.target().indexOf('?');
        String path = query < 0 ? call.target() : call.target().substring(0, query);
        if (path.matches("/v\\d+/.*") && DESCRIBED.methods().contains(call.method())) {
            DESCRIBED.check(call, path, answer);
        }
    }

    /** Returns the errors in the examples of the committed description. */
    static List<String> wrongExamples() {
        List<String> wrong = new ArrayList<>();
        DESCRIBED.at("#/components/schemas").properties().forEach(named -> {
            JsonSchema schema = DESCRIBED.schema("#/components/schemas/" + named.getKey());
            named.getValue()
                    .path("examples")
                    .forEach(example -> schema.validate(example).forEach(fault -> wrong.add(named.getKey() + fault)));
        });
        DESCRIBED
                .description
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> DESCRIBED.addWrongExamples(
                                wrong,
                                "#/paths/" + escaped(path.getKey()) + "/" + operation.getKey(),
                                operation.getValue())));
        return wrong;
    }

    private void addWrongExamples(List<String> wrong, String pointer, JsonNode operation) {
        List<String> bodies = new ArrayList<>(List.of("/requestBody"));
        operation.path("responses").fieldNames().forEachRemaining(status -> bodies.add("/responses/" + status));
        for (String body : bodies) {
            String json = pointer + body + "/content/application~1json";
            JsonNode example = at(json).path("example");
            if (!example.isMissingNode()) {
                schema(json + "/schema").validate(example).forEach(fault -> wrong.add(pointer + " " + body + fault));
            }
        }
    }

    private Set<String> methods() {
        return Set.of("GET", "PUT", "POST", "PATCH", "DELETE");
    }

    private void check(Call call, String path, Answer answer) {
        String template = template(path, call.method().toLowerCase(Locale.ROOT));
        if (template == null) {
            expect(answer.status() >= 400, call, answer, "the description has no such operation");
            expect("#/components/schemas/ProblemBody", plain(answer), call, answer);
            return;
        }
        String operation = "#/paths/" + escaped(template) + "/" + call.method().toLowerCase(Locale.ROOT);
        String status = String.valueOf(answer.status());
        String key = Refusals.GENERAL.contains(status) ? "default" : status;
        JsonNode response = at(operation).path("responses").path(key);
        if (answer.status() == 304) {
            expect(answer.body().length == 0, call, answer, "it has no body");
        }
        expect(!response.isMissingNode(), call, answer, "the description has no such status");
        String pointer = response.has("$ref") ? response.path("$ref").asText() : operation + "/responses/" + key;
        if (at(pointer).at("/content/application~1json/schema").isObject() && !isCsv(answer)) {
            expect(pointer + "/content/application~1json/schema", plain(answer), call, answer);
        }
        String body = operation + "/requestBody/content/application~1json/schema";
        if (answer.status() < 300 && at(body).isObject() && !isGzipped(call)) {
            expect(body, withoutNulls(body, call.body()), call, answer);
        }
        if (answer.status() < 300 && !isCsv(answer)) {
            checkIgnored(at(operation), at(body), call, answer);
            if (!isGzipped(call)) {
                ExampleRecorder.record(at(operation).path("operationId").asText(), call.body(), plain(answer));
            }
        }
    }

    /** Every name that is not described is in {@code Gantry-Ignored}, and no other. */
    private void checkIgnored(JsonNode operation, JsonNode body, Call call, Answer answer) {
        DescribedNames names = new DescribedNames(description);
        int query = call.target().indexOf('?');
        if (query >= 0) {
            names.addParameters(operation, call.target().substring(query + 1));
        }
        boolean isSigned = call.target().matches("/v1/integrations/[^/]+/(orders|files)(\\?.*)?");
        if (body.isObject() && !isSigned && !isGzipped(call) && call.body().length > 0) {
            names.addFields(body, tree(call.body()), "");
        }
        String header = answer.header("Gantry-Ignored");
        Set<String> ignored = header == null ? Set.of() : Set.of(header.split(", ", -1));
        expect(
                header == null || ignored.equals(names.unknown()) || header.matches(".*(%|, \\.\\.\\.$).*"),
                call,
                answer,
                "Gantry-Ignored is " + ignored + ", the names that are not described are " + names.unknown());
    }

    private static byte[] plain(Answer answer) {
        if (answer.header("content-encoding") == null) {
            return answer.body();
        }
        try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isGzipped(Call call) {
        return call.headers().stream().anyMatch(header -> header.getKey().equalsIgnoreCase("content-encoding"));
    }

    /** Returns the path template that matches the path, the one with the most literal segments. */
    private @Nullable String template(String path, String method) {
        List<String> segments = Arrays.asList(path.split("/", -1));
        String best = null;
        List<String> templates = new ArrayList<>();
        description.path("paths").fieldNames().forEachRemaining(templates::add);
        for (String template : templates) {
            List<String> parts = Arrays.asList(template.split("/", -1));
            boolean holdsSlashes = parts.getLast().equals("{path}") && parts.size() <= segments.size();
            boolean fits = (holdsSlashes || parts.size() == segments.size())
                    && IntStream.range(0, parts.size())
                            .allMatch(i ->
                                    parts.get(i).startsWith("{") || parts.get(i).equals(segments.get(i)));
            if (fits && (best == null || words(template) > words(best))) {
                best = template;
            }
        }
        return best != null && description.path("paths").path(best).has(method) ? best : null;
    }

    private static long words(String template) {
        return Arrays.stream(template.split("/", -1))
                .filter(part -> !part.startsWith("{"))
                .count();
    }

    private JsonNode at(String pointer) {
        return description.at(pointer.substring(1));
    }

    private static String escaped(String path) {
        return path.replace("~", "~0").replace("/", "~1");
    }

    /**
     * Removes nulls from a body, because a null optional field equals a missing one. What a marketplace may send in
     * place of null is described in the text of its route.
     */
    private JsonNode withoutNulls(String pointer, byte[] json) {
        JsonNode body = tree(json);
        for (ValidationMessage fault :
                schemas.computeIfAbsent(pointer, this::schema).validate(body)) {
            JsonNodePath path = fault.getInstanceLocation();
            JsonNode parent = body;
            for (int i = 0; i < path.getNameCount() - 1; i++) {
                parent = path.getElement(i) instanceof Integer index
                        ? parent.path(index)
                        : parent.path(String.valueOf(path.getElement(i)));
            }
            if (path.getNameCount() > 0
                    && parent instanceof ObjectNode object
                    && isNothing(object.path(path.getName(-1)), pointer)) {
                object.remove(path.getName(-1));
            }
        }
        return body;
    }

    private static boolean isNothing(JsonNode value, String pointer) {
        boolean isOfMarket = pointer.startsWith("#/paths/~1v1~1integrations~1{id}~1orders/");
        return value.isNull()
                || (isOfMarket
                        && ((value.isTextual() && value.asText().isBlank()) || (value.isInt() && value.asInt() == 0)));
    }

    /** Every list can be CSV; the description states that once. */
    private static boolean isCsv(Answer answer) {
        return String.valueOf(answer.header("content-type")).startsWith("text/csv");
    }

    private void expect(String pointer, byte[] json, Call call, Answer answer) {
        expect(pointer, tree(json), call, answer);
    }

    private void expect(String pointer, JsonNode json, Call call, Answer answer) {
        Set<ValidationMessage> faults =
                schemas.computeIfAbsent(pointer, this::schema).validate(json);
        expect(faults.isEmpty(), call, answer, pointer + ": " + faults);
    }

    private static void expect(boolean holds, Call call, Answer answer, String otherwise) {
        if (!holds) {
            String text = answer.text();
            throw new AssertionError("not as described (if the code is right, run infra/describe): " + call.method()
                    + " "
                    + call.target() + " answered "
                    + answer.status() + "\n" + otherwise + "\n" + text.substring(0, Math.min(2000, text.length())));
        }
    }

    /** Returns a schema inside the whole description, so that its references resolve. */
    private JsonSchema schema(String pointer) {
        ObjectNode whole = MAPPER.createObjectNode();
        whole.put("$ref", pointer.replace("{", "%7B").replace("}", "%7D"));
        whole.set("paths", description.path("paths"));
        whole.set("components", description.path("components"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(
                        whole,
                        SchemaValidatorsConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build());
    }

    private static JsonNode tree(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON: " + new String(json, StandardCharsets.UTF_8), e);
        }
    }
}
