package farm.gantry.api.mcp;

import farm.gantry.api.security.Caller;
import io.micronaut.http.HttpRequest;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;

/** The HTTP API as the caller of a request may use it. */
record LocalApi(OperationCaller operations, Caller caller, HttpRequest<?> request) {
    /** Whether the key has all permissions that the operation needs. */
    boolean isPermitted(Operation operation) {
        return operations.permissionsFor(operation, request).stream().allMatch(caller::hasPermission);
    }

    JsonNode get(String path, Map<String, String> parameters) {
        return operations.call(caller, request, Operation.get(path), parameters, null);
    }

    JsonNode patch(String path, Map<String, ?> body) {
        return operations.call(caller, request, Operation.patch(path), Map.of(), body);
    }

    JsonNode post(String path, Map<String, ?> body) {
        return operations.call(caller, request, Operation.post(path), Map.of(), body);
    }
}
