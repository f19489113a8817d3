package farm.gantry.api.resource;

import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.error.SimilarName;
import farm.gantry.api.http.IgnoredNames;
import farm.gantry.api.http.JsonBodyReader;
import farm.gantry.api.json.BodyNames;
import farm.gantry.api.json.JsonText;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.servlet.http.ServletHttpRequest;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.RouteAttributes;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the query parameters and body fields that the server ignores, and rejects unknown ones if the client prefers {@code
 * handling=strict}. {@link JsonBodyReader} compares the fields of a body; functions
 * use no body reader, so their bodies are parsed here once more.
 */
@ServerFilter("/v*/**")
@Order(2)
final class IgnoredNamesCheck {
    /** Request attribute of the ignored parameters. */
    static final String PARAMETERS = "gantry.ignoredParameters";
    /** Request attribute of the ignored fields of a function's body. */
    static final String FIELDS = "gantry.ignoredFields";

    private final BodyNames bodies;
    private final Map<ExecutableMethod<?, ?>, Route> routes = new ConcurrentHashMap<>();

    /** A route's names, and the key of its body's shape. */
    private record Route(RouteNames names, Optional<String> shape) {}

    IgnoredNamesCheck(BodyNames bodies) {
        this.bodies = bodies;
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        if (!(request instanceof ServletHttpRequest) && request.getHeaders() instanceof MutableHttpHeaders headers) {
            headers.remove(JsonBodyReader.SHAPE);
            headers.remove(JsonBodyReader.IGNORED);
        }
        if (RouteAttributes.getRouteInfo(request).orElse(null) instanceof MethodBasedRouteInfo<?, ?> info) {
            Route route = routes.computeIfAbsent(
                    info.getTargetMethod().getExecutableMethod(), method -> routeOf(request, method));
            if (request.getUri().getRawQuery() != null) {
                checkParameters(request, route.names());
            }
            route.shape().ifPresent(key -> checkBody(request, key));
        }
    }

    private void checkBody(HttpRequest<?> request, String key) {
        if (request instanceof ServletHttpRequest<?, ?> function) {
            parse(function).ifPresent(body -> {
                List<String> ignored = bodies.ignored(key, body, IgnoredNames.isStrict(request.getHeaders()));
                if (!ignored.isEmpty()) {
                    request.setAttribute(FIELDS, IgnoredNames.value(ignored));
                }
            });
        } else if (request.getHeaders() instanceof MutableHttpHeaders headers) {
            headers.set(JsonBodyReader.SHAPE, key);
        }
    }

    /** Returns the body of a function's request; empty if it is not JSON, which the route reports. */
    private static Optional<JsonNode> parse(ServletHttpRequest<?, ?> function) {
        try (InputStream body = function.getInputStream()) {
            return Optional.of(JsonText.parse(body.readAllBytes()));
        } catch (IOException | ProblemException e) {
            return Optional.empty();
        }
    }

    private Route routeOf(HttpRequest<?> request, ExecutableMethod<?, ?> method) {
        RouteNames names = RouteNames.of(request.getMethodName(), method);
        return new Route(names, names.body().map(bodies::add));
    }

    private static void checkParameters(HttpRequest<?> request, RouteNames names) {
        List<String> unknown = request.getParameters().names().stream()
                .filter(name -> !names.isParameter(name))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        if (IgnoredNames.isStrict(request.getHeaders())) {
            Faults faults = new Faults();
            for (String name : unknown) {
                String path = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
                faults.add(
                        name,
                        "unknown",
                        name + " is not a known parameter" + SimilarName.suggest(path, names.parameters()));
            }
            faults.check();
        }
        request.setAttribute(PARAMETERS, IgnoredNames.value(unknown));
    }
}
