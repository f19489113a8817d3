package farm.gantry.api.mcp;

import farm.gantry.version.ProductVersion;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Carries out the methods of the Model Context Protocol. It keeps nothing between requests. */
@Singleton
final class McpServer {
    private static final Map<String, Object> CAPABILITIES = Map.of("tools", Map.of(), "resources", Map.of());
    private static final Map<String, Object> SERVER =
            Map.of("name", "gantry", "title", "Gantry", "version", ProductVersion.CURRENT.text());
    private static final String INSTRUCTIONS =
            "Gantry runs a farm of 3D printers. Use list_jobs and list_printers for what "
                    + "happens now, and their ids in the other tools. Times are UTC. Ask the person before cancelling a job. Only a "
                    + "person at the printer can mark a bed as clear.";
    /** How long clients may keep lists, in milliseconds; what a key may do seldom changes. */
    private static final int LIST_LIFETIME = 60_000;

    private final ToolCalls tools;
    private final McpResources resources;

    McpServer(ToolCalls tools, McpResources resources) {
        this.tools = tools;
        this.resources = resources;
    }

    /** Returns the result of a request; throws {@link McpException} for what the protocol calls an error. */
    Map<String, Object> handle(LocalApi api, String method, JsonNode parameters, boolean isCurrent) {
        Map<String, Object> result = new LinkedHashMap<>(
                switch (method) {
                    case "initialize" ->
                        Map.of(
                                "protocolVersion",
                                McpVersion.negotiate(Records.text(parameters, "protocolVersion")),
                                "capabilities",
                                CAPABILITIES,
                                "serverInfo",
                                SERVER,
                                "instructions",
                                INSTRUCTIONS);
                    case "server/discover" ->
                        cached(
                                Map.of(
                                        "supportedVersions",
                                        McpVersion.all(),
                                        "capabilities",
                                        CAPABILITIES,
                                        "_meta",
                                        Map.of("io.modelcontextprotocol/serverInfo", SERVER),
                                        "instructions",
                                        INSTRUCTIONS),
                                LIST_LIFETIME,
                                isCurrent);
                    case "ping" -> Map.<String, Object>of();
                    case "tools/list" -> cached(Map.of("tools", ToolCalls.definitions(api)), LIST_LIFETIME, isCurrent);
                    case "tools/call" -> callTool(api, parameters);
                    case "resources/list" -> cached(Map.of("resources", resources.list(api)), LIST_LIFETIME, isCurrent);
                    case "resources/templates/list" ->
                        cached(Map.of("resourceTemplates", McpResources.templates(api)), LIST_LIFETIME, isCurrent);
                    case "resources/read" -> cached(readResource(api, parameters), 0, isCurrent);
                    default ->
                        throw new McpException(
                                isCurrent ? 404 : 200, McpException.METHOD_NOT_FOUND, "Method not found: " + method);
                });
        if (isCurrent) {
            result.put("resultType", "complete");
        }
        return result;
    }

    private static Map<String, Object> cached(Map<String, Object> result, int lifetime, boolean isCurrent) {
        if (!isCurrent) {
            return result;
        }
        Map<String, Object> cached = new HashMap<>(result);
        cached.put("ttlMs", lifetime);
        cached.put("cacheScope", "private");
        return cached;
    }

    private Map<String, Object> callTool(LocalApi api, JsonNode parameters) {
        String name = required(parameters, "name");
        JsonNode given = parameters.get("arguments");
        Map<String, JsonNode> arguments = new LinkedHashMap<>();
        if (given != null && !given.isNull()) {
            if (!given.isObject()) {
                throw new McpException(200, McpException.INVALID_PARAMS, "params.arguments must be an object");
            }
            given.entries().forEach(entry -> arguments.put(entry.getKey(), entry.getValue()));
        }
        return tools.call(api, name, arguments)
                .orElseThrow(() -> new McpException(
                        200,
                        McpException.INVALID_PARAMS,
                        "There is no tool '" + name
                                + "', or the API key lacks its permissions; tools/list names the tools "
                                + "of this key"));
    }

    private Map<String, Object> readResource(LocalApi api, JsonNode parameters) {
        String uri = required(parameters, "uri");
        return resources
                .read(api, uri)
                .orElseThrow(() ->
                        new McpException(200, McpException.INVALID_PARAMS, "Resource not found", Map.of("uri", uri)));
    }

    private static String required(JsonNode parameters, String name) {
        String text = Records.text(parameters, name);
        if (text == null) {
            throw new McpException(200, McpException.INVALID_PARAMS, "params." + name + " is required");
        }
        return text;
    }
}
