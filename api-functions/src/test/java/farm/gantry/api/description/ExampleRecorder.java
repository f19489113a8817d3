package farm.gantry.api.description;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Records one accepted exchange for each operation while tests run with {@code -Dexamples=write}. Ids, times, addresses and
 * secrets are replaced, so that a later run records the same ones.
 */
final class ExampleRecorder {
    private static final boolean IS_ON = "write".equals(System.getProperty("examples"));
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MAX_LENGTH = 6000;
    /** A member of JSON schemas that readers of the description would try to follow. */
    private static final String REFERENCE = "\"$ref\"";

    private static final int MAX_ELEMENTS = 2;
    private static final String TIME = "2026-11-21T14:08:12.310Z";
    private static final Pattern ID = Pattern.compile("\\b[a-z0-9]{24}\\b");
    private static final Pattern INSTANT =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final Pattern HOST = Pattern.compile("https?://(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");
    private static final Pattern SIGNATURE = Pattern.compile("(signature|Signature)=[^&\"]+");
    private static final Set<String> SECRETS = Set.of(
            "key",
            "secret",
            "token",
            "code",
            "signingSecret",
            "apiKey",
            "password",
            "api_key",
            "access_code",
            "dev_access_code");
    /** Names of secrets that are also names of words of the API, such as the code of an error, which have no digits. */
    private static final Set<String> WORDS = Set.of("key", "code");

    private static final Pattern DIGIT = Pattern.compile("\\d");
    private static final Set<String> MEASURED = Set.of("executionTime", "durationMs");

    /** Prefers a response that holds something, then the shortest exchange, then the first by its text. */
    private static final Comparator<Examples.Example> BEST = Comparator.comparing(ExampleRecorder::isEmpty)
            .thenComparingInt(example -> example.toString().length())
            .thenComparing(Examples.Example::toString);

    private static final Map<String, Examples.Example> BY_OPERATION = new ConcurrentHashMap<>();

    static {
        if (IS_ON) {
            BY_OPERATION.putAll(Examples.read());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Examples.write(BY_OPERATION)));
        }
    }

    private ExampleRecorder() {}

    static void record(String operationId, byte[] request, byte[] response) {
        if (!IS_ON) {
            return;
        }
        Map<String, String> ids = new HashMap<>();
        Examples.Example example = new Examples.Example(stable(request, ids), stable(response, ids));
        String text = example.toString();
        if (text.length() > MAX_LENGTH || text.contains(REFERENCE)) {
            return;
        }
        BY_OPERATION.merge(operationId, example, (one, other) -> BEST.compare(one, other) <= 0 ? one : other);
    }

    private static boolean isEmpty(Examples.Example example) {
        JsonNode response = example.response();
        JsonNode data = response == null ? null : response.path("data");
        return response == null
                || (response.isContainerNode() && response.isEmpty())
                || (data != null && data.isArray() && data.isEmpty());
    }

    private static @Nullable JsonNode stable(byte[] json, Map<String, String> ids) {
        if (json.length == 0) {
            return null;
        }
        try {
            return stable("", MAPPER.readTree(json), ids);
        } catch (IOException e) {
            return JsonNodeFactory.instance.textNode(stable(new String(json, StandardCharsets.UTF_8), ids)); // CSV
        }
    }

    private static JsonNode stable(String name, JsonNode node, Map<String, String> ids) {
        if (node.isObject()) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(member ->
                            copy.set(stable(member.getKey(), ids), stable(member.getKey(), member.getValue(), ids)));
            return copy;
        } else if (node.isArray()) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < Math.min(node.size(), MAX_ELEMENTS); i++) {
                copy.add(stable(name, node.get(i), ids));
            }
            return copy;
        } else if (node.isNumber() && MEASURED.contains(name)) {
            return JsonNodeFactory.instance.numberNode(1);
        }
        if (!node.isTextual()) {
            return node;
        }
        String text = stable(node.textValue(), ids);
        boolean isSecret = SECRETS.contains(name)
                && !text.isBlank()
                && !text.contains("*")
                && (!WORDS.contains(name) || DIGIT.matcher(text).find());
        return JsonNodeFactory.instance.textNode(isSecret ? "example-" + name + "-of-32-characters-or-more" : text);
    }

    private static String stable(String text, Map<String, String> ids) {
        String withIds = ID.matcher(text)
                .replaceAll(id ->
                        ids.computeIfAbsent(id.group(), _ -> "0mwq3f7k2v9x4b8n1c6z5t%02d".formatted(ids.size() + 1)));
        String withTimes = INSTANT.matcher(withIds).replaceAll(TIME);
        String withHosts = HOST.matcher(withTimes).replaceAll("https://farm.example");
        return SIGNATURE.matcher(withHosts).replaceAll("$1=example");
    }
}
