package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The answers that refuse, all of one body. */
final class Refusals {
    /** By status, the names under which operations refer to them. */
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
            Map.entry("422", "Unprocessable"),
            Map.entry("429", "RateLimited"),
            Map.entry("500", "Internal"),
            Map.entry("501", "NotImplemented"),
            Map.entry("503", "Unavailable"));

    private Refusals() {}

    static Map<String, @Nullable Object> all(Map<String, @Nullable Object> body) {
        Map<String, @Nullable Object> all = new TreeMap<>();
        NAMES.forEach((status, name) -> {
            Map<String, @Nullable Object> response = object("description", says(status));
            if (status.equals("429") || status.equals("503")) {
                response.put(
                        "headers",
                        object(
                                "Retry-After",
                                object("description", "Seconds to wait.", "schema", object("type", "integer"))));
            }
            if (status.equals("401")) {
                response.put(
                        "headers",
                        object(
                                "WWW-Authenticate",
                                object(
                                        "description",
                                        "`ApiKey`, `AgentToken` or `WebhookSignature`: what is to be shown.",
                                        "schema",
                                        object("type", "string"))));
            }
            response.put("content", object("application/json", object("schema", body)));
            all.put(name, response);
        });
        return all;
    }

    private static String says(String status) {
        return switch (status) {
            case "400" -> "The request is not understood; `details` names every fault with its path.";
            case "401" -> "No valid API key, agent's token or signature.";
            case "403" -> "The key lacks a permission, which `details` names, or may not be used from this address.";
            case "404" -> "No such record in this store.";
            case "408" -> "The request came too slowly; the connection is closed.";
            case "409" -> "What is kept does not allow it, or the request with this `Idempotency-Key` still runs.";
            case "412" -> "The record is no longer what `If-Match` names; nothing was changed.";
            case "413" -> "The body is too large, or the answer would be.";
            case "416" -> "No such range of bytes.";
            case "415" -> "The body is not of a type this takes.";
            case "422" -> "The `Idempotency-Key` was sent with another request.";
            case "429" -> "Too many requests.";
            case "500" -> "Something went wrong here.";
            case "501" -> "This host cannot do it, whatever is asked.";
            case "503" -> "Not now: nothing was done, and the request may be repeated as it is.";
            default -> throw new IllegalArgumentException(status);
        };
    }
}
