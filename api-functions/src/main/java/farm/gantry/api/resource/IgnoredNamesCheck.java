package farm.gantry.api.resource;

import farm.gantry.api.error.Faults;
import farm.gantry.api.error.SimilarName;
import farm.gantry.api.http.IgnoredNames;
import farm.gantry.api.http.JsonBodyReader;
import farm.gantry.api.json.BodyNames;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.RouteAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names the query parameters and body fields that the server ignores in the header {@code Gantry-Ignored}, and rejects
 * unknown ones if the client prefers {@code handling=strict}. Functions do neither, because the headers of their requests
 * cannot be changed.
 */
@ServerFilter("/v*/**")
@Order(2)
final class IgnoredNamesCheck {
    private static final String PARAMETERS = "gantry.ignoredParameters";

    private final BodyNames bodies;
    private final Map<ExecutableMethod<?, ?>, Route> routes = new ConcurrentHashMap<>();

    /** A route's names, and the key of its body's shape. */
    private record Route(RouteNames names, Optional<String> shape) {}

    IgnoredNamesCheck(BodyNames bodies) {
        this.bodies = bodies;
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        if (!(request.getHeaders() instanceof MutableHttpHeaders headers)) {
            return;
        }
        headers.remove(JsonBodyReader.SHAPE);
        headers.remove(JsonBodyReader.IGNORED);
        if (RouteAttributes.getRouteInfo(request).orElse(null) instanceof MethodBasedRouteInfo<?, ?> info) {
            Route route = routes.computeIfAbsent(
                    info.getTargetMethod().getExecutableMethod(), method -> routeOf(request, method));
            route.shape().ifPresent(key -> headers.set(JsonBodyReader.SHAPE, key));
            if (request.getUri().getRawQuery() != null) {
                checkParameters(request, route.names());
            }
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

    @ResponseFilter
    void report(HttpRequest<?> request, MutableHttpResponse<?> response) {
        if (!(request.getHeaders() instanceof MutableHttpHeaders)) {
            return;
        }
        String ignored = Stream.of(
                        request.getAttribute(PARAMETERS, String.class),
                        Optional.ofNullable(request.getHeaders().get(JsonBodyReader.IGNORED)))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        if (!ignored.isEmpty()) {
            response.header(IgnoredNames.HEADER, ignored);
        }
        if (IgnoredNames.isStrict(request.getHeaders())) {
            response.header(IgnoredNames.APPLIED, IgnoredNames.STRICT);
        }
    }
}
