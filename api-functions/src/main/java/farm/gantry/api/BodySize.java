package farm.gantry.api;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.web.router.RouteAttributes;

/** Refuses a body that says it is too large before anything else is looked at, the key included. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class BodySize {
    private final long most;

    BodySize(HttpServerConfiguration server) {
        this.most = server.getMaxRequestBufferSize();
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        if (request.getContentLength() > most && !isStreamed(request)) {
            throw new Refused(new Problem.TooLarge("the body is larger than " + most + " bytes"));
        }
    }

    /** A route that takes any type of content reads it as a stream, and has a limit of its own. */
    private static boolean isStreamed(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request)
                .filter(route -> route.getConsumes().contains(MediaType.ALL_TYPE))
                .isPresent();
    }
}
