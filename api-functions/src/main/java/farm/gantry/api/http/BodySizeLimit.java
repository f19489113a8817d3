package farm.gantry.api.http;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.web.router.RouteAttributes;

/** Rejects a request by its declared body size before any other check, the API key included. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 1) // plain-words: ok
final class BodySizeLimit {
    private final long maxBytes;

    BodySizeLimit(HttpServerConfiguration server) {
        this.maxBytes = server.getMaxRequestBufferSize();
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        if (request.getContentLength() > maxBytes && !isStreamed(request)) {
            throw new ProblemException(new Problem.TooLarge("the body is larger than " + maxBytes + " bytes"));
        }
    }

    /** Routes that consume any media type stream their body and have their own limits. */
    private static boolean isStreamed(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request)
                .filter(route -> route.getConsumes().contains(MediaType.ALL_TYPE))
                .isPresent();
    }
}
