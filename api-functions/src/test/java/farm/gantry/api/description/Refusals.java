package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Error responses; all have the same body. */
final class Refusals {
    /** The names under which operations refer to the responses, by status. */
    static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("400", "BadRequest"),
            Map.entry("401", "Unauthorized"),
            Map.entry("403", "Forbidden"),
            Map.entry("404", "NotFound"),
            Map.entry("408", "RequestTimeout"),
            Map.entry("409", "Conflict"),
            Map.entry("412", "PreconditionFailed"),
            Map.entry("413", "TooLarge"),
            Map.entry("415", "UnsupportedMediaType"),
            Map.entry("416", "RangeNotSatisfiable"),
            Map.entry("421", "StoreMoved"),
            Map.entry("422", "Unprocessable"),
            Map.entry("429", "RateLimited"),
            Map.entry("500", "Internal"),
            Map.entry("501", "NotImplemented"),
            Map.entry("503", "Unavailable"));

    /** Statuses that do not depend on the operation; operations refer to all of them at once, as {@code default}. */
    static final Set<String> GENERAL = Set.of("401", "403", "408", "413", "415", "421", "422", "429", "500", "503");

    static final String DEFAULT = "Error";

    private Refusals() {}

    static Map<String, @Nullable Object> all(Map<String, @Nullable Object> body) {
        Map<String, @Nullable Object> all = new TreeMap<>();
        NAMES.forEach((status, name) -> {
            if (!GENERAL.contains(status)) {
                all.put(name, object("description", meaning(status) + codes(status), "content", content(body)));
            }
        });
        String meanings = GENERAL.stream()
                .sorted()
                .map(status -> "- " + status + ": " + meaning(status) + codes(status))
                .collect(Collectors.joining("\n"));
        all.put(
                DEFAULT,
                object(
                        "description",
                        "An error that any operation can answer.\n\n" + meanings,
                        "headers",
                        object(
                                "Retry-After",
                                header("integer", "With 429 and 503: seconds to wait."),
                                "RateLimit-Limit",
                                object("$ref", "#/components/headers/RateLimit-Limit"),
                                "RateLimit-Remaining",
                                object("$ref", "#/components/headers/RateLimit-Remaining"),
                                "RateLimit-Reset",
                                object("$ref", "#/components/headers/RateLimit-Reset"),
                                "WWW-Authenticate",
                                header("string", "With 401: `ApiKey`, `AgentToken` or `WebhookSignature`.")),
                        "content",
                        content(body)));
        return all;
    }

    private static Map<String, @Nullable Object> content(Map<String, @Nullable Object> body) {
        return object("application/json", object("schema", body));
    }

    private static Map<String, @Nullable Object> header(String type, String description) {
        return object("description", description, "schema", object("type", type));
    }

    /** Returns the error codes of the status, as the guide lists them. */
    private static String codes(String status) {
        return GuideTables.rows("errors.md", 4).stream()
                .filter(row -> row.getFirst().equals(status))
                .map(row -> row.get(1))
                .collect(Collectors.joining(", ", " Codes: ", "."));
    }

    private static String meaning(String status) {
        return switch (status) {
            case "400" -> "The request is invalid; `details` names each fault and its path.";
            case "401" -> "The API key, agent token or signature is missing or invalid.";
            case "403" -> "The key lacks a permission, which `details` names, or may not be used from this address.";
            case "404" -> "The store has no such record.";
            case "408" -> "The request arrived too slowly; the connection is closed.";
            case "409" ->
                "The stored records do not allow it, or the request with this `Idempotency-Key` is still running.";
            case "412" -> "The record is no longer what `If-Match` names; nothing was changed.";
            case "413" -> "The body is too large, or the response would be.";
            case "416" -> "The file has no such range of bytes.";
            case "415" -> "The operation does not accept this content type.";
            case "422" -> "The `Idempotency-Key` was sent with a different request.";
            case "421" -> "The store is at another installation now, at `address`.";
            case "429" -> "Too many requests.";
            case "500" -> "The server failed; the log has the reason under the `X-Request-Id`.";
            case "501" -> "This host does not support the operation.";
            case "503" -> "Temporarily unavailable: nothing was changed; retry the same request.";
            default -> throw new IllegalArgumentException(status);
        };
    }
}
