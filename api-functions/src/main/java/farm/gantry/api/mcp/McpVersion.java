package farm.gantry.api.mcp;

import io.micronaut.http.HttpHeaders;
import io.micronaut.json.tree.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the revision of the protocol that a request uses. Since {@link #CURRENT}, every request names it in its body
 * and in a header; the revisions before agree on one by {@code initialize}.
 */
final class McpVersion {
    static final String CURRENT = "2026-07-28";

    private static final List<String> WITH_INITIALIZE = List.of("2025-11-25", "2025-06-18", "2025-03-26");
    private static final List<String> ALL =
            Stream.concat(Stream.of(CURRENT), WITH_INITIALIZE.stream()).toList();

    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final String VERSION = "io.modelcontextprotocol/protocolVersion";
    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";

    private McpVersion() {}

    static List<String> all() {
        return ALL;
    }

    /** Returns the revision for a client that asks for one by {@code initialize}. */
    static String negotiate(@Nullable String requested) {
        return requested != null && WITH_INITIALIZE.contains(requested) ? requested : WITH_INITIALIZE.getFirst();
    }

    /** Returns whether the request uses the current revision; throws if its headers contradict its body. */
    static boolean isCurrent(HttpHeaders headers, String method, JsonNode parameters) {
        String header = headers.get(VERSION_HEADER);
        JsonNode meta = parameters.get("_meta");
        String named = meta == null || !meta.isObject() ? null : Records.text(meta, VERSION);
        if (named == null && !CURRENT.equals(header)) {
            if (header != null && !WITH_INITIALIZE.contains(header)) {
                throw unsupported(header);
            }
            return false;
        }
        requireSame(VERSION_HEADER, header, named);
        if (!CURRENT.equals(named)) {
            throw unsupported(Objects.requireNonNull(named));
        }
        requireSame("Mcp-Method", headers.get("Mcp-Method"), method);
        switch (method) {
            case "tools/call" -> requireSame("Mcp-Name", headers.get("Mcp-Name"), Records.text(parameters, "name"));
            case "resources/read" -> requireSame("Mcp-Name", headers.get("Mcp-Name"), Records.text(parameters, "uri"));
            default -> {}
        }
        return true;
    }

    private static McpException unsupported(String version) {
        return new McpException(
                400,
                McpException.UNSUPPORTED_VERSION,
                "Unsupported protocol version",
                Map.of("supported", ALL, "requested", version));
    }

    private static void requireSame(String name, @Nullable String header, @Nullable String value) {
        if (header == null || value == null || !decode(header).equals(value)) {
            throw new McpException(
                    400,
                    McpException.HEADER_MISMATCH,
                    "Header mismatch: " + name + (header == null ? " is missing" : " is '" + header + "'")
                            + (value == null ? ", the body has no such value" : ", the body says '" + value + "'"));
        }
    }

    private static String decode(String header) {
        if (!header.startsWith(ENCODED) || !header.endsWith(ENCODED_END)) {
            return header;
        }
        try {
            return new String(
                    Base64.getDecoder()
                            .decode(header.substring(ENCODED.length(), header.length() - ENCODED_END.length())),
                    StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return header;
        }
    }
}
