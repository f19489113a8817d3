package farm.gantry.api.mcp;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.CorsOrigins;
import farm.gantry.api.http.address.PublicUrl;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of the Model Context Protocol: every message is a POST that is answered with JSON. There are no streams
 * and no sessions, so any process can answer any request.
 */
@Controller("/mcp")
@Blocking
final class McpRoutes {
    private static final String VERSION = "2.0";

    private final McpServer server;
    private final OperationCaller operations;
    private final RecordReader reader;
    private final PublicUrl address;
    private final CorsOrigins origins;

    McpRoutes(
            McpServer server, OperationCaller operations, RecordReader reader, PublicUrl address, CorsOrigins origins) {
        this.server = server;
        this.operations = operations;
        this.reader = reader;
        this.address = address;
        this.origins = origins;
    }

    /** A message of JSON-RPC 2.0: a request, or a notification without an id. */
    @Serdeable
    record Message(
            String jsonrpc,
            @Nullable Object id,
            String method,
            @Nullable Map<String, Object> params) {}

    /** Carries out one request. Every key is accepted, and sees the tools and resources of its permissions. */
    @Post
    @RequiresPermission({})
    HttpResponse<?> receive(Caller caller, HttpRequest<?> request, @Body @BodyType(Message.class) JsonNode body) {
        rejectOtherOrigins(request);
        caller.store(); // verifies a cached key, because lists of tools read nothing from the database
        JsonNode id = body.isObject() ? body.get("id") : null;
        try {
            String method = method(body, id);
            JsonNode given = body.get("params");
            JsonNode parameters = given == null || given.isNull() ? JsonNode.createObjectNode(Map.of()) : given;
            if (!parameters.isObject()) {
                throw new McpException(400, McpException.INVALID_REQUEST, "params must be an object");
            }
            if (id == null) {
                return HttpResponse.accepted();
            }
            boolean isCurrent = McpVersion.isCurrent(request.getHeaders(), method, parameters);
            Map<String, Object> result =
                    server.handle(new LocalApi(operations, caller, request), method, parameters, isCurrent);
            return answer(200, id, "result", result);
        } catch (McpException e) {
            return answer(e.status(), id, "error", e.error());
        }
    }

    /** Pages of other origins might use an address of this farm that only the browser can reach. */
    private void rejectOtherOrigins(HttpRequest<?> request) {
        String origin = request.getHeaders().get(HttpHeaders.ORIGIN);
        if (origin != null
                && !address.originOf(request).toString().equalsIgnoreCase(origin)
                && !origins.contains(origin)) {
            throw new ProblemException(new Problem.Forbidden(
                    "pages of " + origin + " may not call this farm; add the origin to gantry.cors-origins", null));
        }
    }

    private static String method(JsonNode body, @Nullable JsonNode id) {
        if (!body.isObject() || !VERSION.equals(Records.text(body, "jsonrpc"))) {
            throw new McpException(
                    400,
                    McpException.INVALID_REQUEST,
                    "the body must be one JSON-RPC message with \"jsonrpc\": \"2.0\"");
        } else if (id != null && !id.isString() && !id.isNumber()) {
            throw new McpException(400, McpException.INVALID_REQUEST, "id must be a text or a number");
        }
        JsonNode method = body.get("method");
        if (method == null || !method.isString()) {
            throw new McpException(400, McpException.INVALID_REQUEST, "method is required");
        }
        return method.getStringValue();
    }

    private HttpResponse<?> answer(int status, @Nullable JsonNode id, String member, Map<String, Object> content) {
        Map<String, JsonNode> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", JsonNode.createStringNode(VERSION));
        if (id != null) {
            answer.put("id", id);
        }
        answer.put(member, reader.toTree(content));
        return HttpResponse.status(HttpStatus.valueOf(status))
                .body(RawJson.of(JsonText.write(JsonNode.createObjectNode(answer))))
                .contentType(MediaType.APPLICATION_JSON_TYPE);
    }
}
