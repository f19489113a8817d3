package farm.gantry.api.mcp;

import farm.gantry.Permission;
import farm.gantry.api.apikey.RoutePermissions;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.inject.MethodExecutionHandle;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteMatch;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls operations of the HTTP API within the process, with the permissions and the origin of the caller. A request
 * over the network would come from another address than the caller's, to which its key may be limited.
 */
@Singleton
final class OperationCaller {
    private final Router router;
    private final RoutePermissions permissions;
    private final RecordReader reader;
    private final ConversionService conversion;

    OperationCaller(Router router, RoutePermissions permissions, RecordReader reader, ConversionService conversion) {
        this.router = router;
        this.permissions = permissions;
        this.reader = reader;
        this.conversion = conversion;
    }

    /** Returns the permissions that the operation needs. */
    List<Permission> permissionsFor(Operation operation, HttpRequest<?> outer) {
        return permissionsFor(target(findRoute(operation.request(outer, Map.of(), conversion))));
    }

    private List<Permission> permissionsFor(MethodExecutionHandle<?, ?> target) {
        return permissions
                .requiredBy(target.getExecutableMethod())
                .orElseThrow(() -> new IllegalArgumentException(target + " is called without a key"));
    }

    /** Returns the response's body; throws what the operation throws. */
    JsonNode call(
            Caller caller,
            HttpRequest<?> outer,
            Operation operation,
            Map<String, String> parameters,
            @Nullable Object body) {
        HttpRequest<?> request = operation.request(outer, parameters, conversion);
        UriRouteMatch<Object, Object> route = findRoute(request);
        MethodExecutionHandle<Object, Object> target = target(route);
        permissionsFor(target).forEach(caller::requirePermission);
        @Nullable
        Object[] values = Arrays.stream(target.getArguments())
                .map(argument -> bind(argument, caller, request, route, body))
                .toArray();
        Object result = target.invoke(values);
        Object answer = result instanceof HttpResponse<?> response ? response.body() : result;
        return answer instanceof RawJson<?> json ? JsonText.parse(json.text()) : reader.toTree(answer);
    }

    private UriRouteMatch<Object, Object> findRoute(HttpRequest<?> request) {
        UriRouteMatch<Object, Object> found = router.findClosest(request);
        if (found == null) {
            throw new IllegalArgumentException(
                    "there is no operation " + request.getMethodName() + " " + request.getPath());
        }
        return found;
    }

    private static MethodExecutionHandle<Object, Object> target(UriRouteMatch<Object, Object> match) {
        return match.getRouteInfo().getTargetMethod();
    }

    private @Nullable Object bind(
            Argument<?> argument,
            Caller caller,
            HttpRequest<?> request,
            UriRouteMatch<?, ?> route,
            @Nullable Object body) {
        Class<?> type = argument.getType();
        if (type == Caller.class) {
            return caller;
        } else if (type == HttpRequest.class) {
            return request;
        } else if (type == IfMatch.class) {
            return IfMatch.NONE;
        } else if (argument.isAnnotationPresent(Body.class)) {
            return reader.toTree(body);
        }
        Object variable = route.getVariableValues().get(argument.getName());
        Object value = variable == null ? request.getParameters().get(argument.getName()) : variable;
        return value == null ? null : conversion.convertRequired(value, argument);
    }
}
