package farm.gantry.api.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.description.DescriptionCheck;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends random requests generated from the API's description, and checks every response: no server error, as described,
 * and nothing of another store. Later requests read, change and refer to created records. The seed determines
 * everything but ids and times. To send more requests than the build does: {@code mvn -o -pl api-functions -am test
 * -Dtest=RequestFuzzTest -Dsurefire.failIfNoSpecifiedTests=false -Dfuzz.requests=1000000 -Dfuzz.seed=7}.
 */
final class RequestFuzzer {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Operations that are not tried: one never ends, and one takes no JSON. */
    private static final Set<String> LEFT_OUT = Set.of("GET /v1/stream", "PUT /v1/storage/content");

    private static final int PROGRESS = 50_000;

    /** An operation of the description. */
    private record Operation(String method, String path, Map<?, ?> described) {
        List<?> parameters() {
            return described.get("parameters") instanceof List<?> list ? list : List.of();
        }

        /** Returns the last word of the path that names a collection, not an action. */
        String collection() {
            String[] segments = path.split("/", -1);
            return segments.length > 2 ? segments[2] : path;
        }

        boolean needsKey() {
            return described.get("x-permission") != null;
        }
    }

    private final long seed;
    private final Random random;
    private final String key;
    private final String marker;
    private final Socket host = new Socket();
    private final List<Operation> operations = new ArrayList<>();
    private final KnownIds ids;
    private final Values values;
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private final Set<String> succeeded = new HashSet<>();
    private final List<String> faults = new ArrayList<>();

    /** {@code marker} is a text in every record of another store, whose ids are {@code foreign}. */
    RequestFuzzer(long seed, String key, String marker, List<String> foreign) {
        this.seed = seed;
        this.random = new Random(seed);
        this.key = key;
        this.marker = marker;
        this.ids = new KnownIds(random, foreign);
        Map<?, ?> description = SharedApi.bean(OpenApiDescription.class).tree();
        this.values = new Values(description, random, ids);
        ((Map<?, ?>) Objects.requireNonNull(description.get("paths")))
                .forEach((path, methods) -> ((Map<?, ?>) methods).forEach((method, described) -> {
                    String name = String.valueOf(method).toUpperCase(Locale.ROOT);
                    if (!LEFT_OUT.contains(name + " " + path)) {
                        operations.add(new Operation(name, String.valueOf(path), (Map<?, ?>) described));
                    }
                }));
    }

    /** Sends this many requests and prints the progress; stops at the twentieth fault. */
    @Nullable
    Void run(int requests) throws Exception {
        for (int i = 1; i <= requests && faults.size() < 20; i++) {
            Operation operation = operations.get(random.nextInt(operations.size()));
            send(i, operation, call(operation));
            if (i % PROGRESS == 0 || i == requests) {
                System.out.println(summary());
            }
        }
        return null;
    }

    List<String> faults() {
        return faults;
    }

    /** Returns the number of responses by status, and of operations that succeeded at least once. */
    private String summary() {
        return "seed " + seed + ": " + statuses + ", " + succeeded.size() + " of " + operations.size()
                + " operations carried out, " + faults.size() + " faults";
    }

    private void send(int number, Operation operation, Call call) throws Exception {
        Answer answer = host.send(call);
        statuses.merge(answer.status(), 1, Integer::sum);
        if (answer.status() < 300) {
            succeeded.add(operation.method() + operation.path());
            remember(operation, answer);
        }
        String fault = fault(call, answer);
        if (fault != null) {
            faults.add("seed " + seed + ", request " + number + ": " + fault + "\n  " + curl(call));
            System.out.println(faults.getLast());
        }
    }

    private @Nullable String fault(Call call, Answer answer) {
        if (answer.status() >= 500 && answer.status() != 501) {
            return answer.status() + " " + answer.text();
        } else if (answer.text().contains(marker)) {
            return "another store's data: " + answer.text();
        }
        try {
            DescriptionCheck.check(call, answer);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e.toString();
        }
    }

    /**
     * Stores the ids of created records for later requests, except that of the key in use, which must not be deleted.
     */
    private void remember(Operation operation, Answer answer) throws Exception {
        String type = String.valueOf(answer.header("content-type"));
        if (operation.method().equals("DELETE") || answer.body().length == 0 || !type.startsWith("application/json")) {
            return;
        }
        JsonNode tree = MAPPER.readTree(answer.body());
        add(operation.collection(), tree.isArray() ? tree.path(0) : tree);
        tree.properties().forEach(member -> {
            JsonNode value = member.getValue();
            add(
                    member.getKey().equals("data") ? operation.collection() : member.getKey(),
                    value.isArray() ? value.path(0) : value);
        });
    }

    private void add(String noun, JsonNode made) {
        String id = made.path("id").asText();
        if (!id.isEmpty() && !key.startsWith(id)) {
            ids.add(noun, id);
        }
    }

    private Call call(Operation operation) throws Exception {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        for (Object each : operation.parameters()) {
            Map<?, ?> parameter = values.resolved((Map<?, ?>) each);
            String name = String.valueOf(parameter.get("name"));
            Map<?, ?> schema = parameter.get("schema") instanceof Map<?, ?> given ? given : Map.of();
            switch (String.valueOf(parameter.get("in"))) {
                case "path" -> path = path.replace("{" + name + "}", inPath(path, name, schema));
                case "query" -> {
                    if (random.nextInt(12) == 0) {
                        query.append(query.isEmpty() ? '?' : '&')
                                .append(encoded(name + operator()))
                                .append('=')
                                .append(encoded(String.valueOf(values.of(name, schema))));
                    }
                }
                default -> {}
            }
        }
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        if (operation.needsKey()) {
            headers.add(Map.entry("authorization", "ApiKey " + key));
        }
        byte[] body = body(operation);
        if (body.length > 0) {
            headers.add(Map.entry("content-type", "application/json"));
        }
        if (operation.method().equals("POST") && random.nextInt(20) == 0) {
            headers.add(Map.entry("idempotency-key", "key-" + random.nextInt(50)));
        }
        String target = path + query;
        return new Call(operation.method(), target.length() > 7000 ? path : target, List.copyOf(headers), body);
    }

    private String operator() {
        return random.nextInt(4) > 0
                ? ""
                : List.of(".ne", ".in", ".gt", ".between", ".contains", ".isNull", ".x", ".notIn", ".startsWith")
                        .get(random.nextInt(9));
    }

    /** Returns a value for a path parameter; the kind of an id is the word before it. */
    private String inPath(String path, String name, Map<?, ?> schema) {
        String before = path.substring(0, path.indexOf("/{" + name + "}"));
        String value = random.nextInt(25) == 0
                ? String.valueOf(values.hostileValue())
                : schema.containsKey("pattern")
                        ? ids.of(before.substring(before.lastIndexOf('/') + 1))
                        : String.valueOf(values.of(name, schema));
        String encoded = encoded(value.isEmpty() || value.length() > 2000 ? "x" : value);
        return encoded.matches("\\.+") ? "x" : encoded;
    }

    private byte[] body(Operation operation) throws Exception {
        if (!(operation.described().get("requestBody") instanceof Map<?, ?> described)) {
            return new byte[0];
        }
        Object json = ((Map<?, ?>) Objects.requireNonNull(described.get("content"))).get("application/json");
        if (!(json instanceof Map<?, ?> content) || !(content.get("schema") instanceof Map<?, ?> schema)) {
            return new byte[0];
        }
        byte[] body = MAPPER.writeValueAsBytes(values.of("body", schema));
        if (random.nextInt(100) == 0) {
            body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return body;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String curl(Call call) {
        StringBuilder curl = new StringBuilder("curl -X " + call.method() + " '$URL" + call.target() + "'");
        call.headers()
                .forEach(header -> curl.append(" -H '")
                        .append(header.getKey())
                        .append(": ")
                        .append(header.getKey().equals("authorization") ? "ApiKey $KEY" : header.getValue())
                        .append("'"));
        if (call.body().length > 0) {
            String body = new String(call.body(), StandardCharsets.UTF_8);
            curl.append(" -d '").append(body, 0, Math.min(body.length(), 3000)).append("'");
        }
        return curl.toString();
    }
}
