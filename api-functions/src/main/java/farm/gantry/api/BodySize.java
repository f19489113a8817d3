package farm.gantry.api;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.HttpServerConfiguration;

/** Refuses a body that says it is too large before anything else is looked at, the key included. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class BodySize {
    private final long most;

    BodySize(HttpServerConfiguration server) {
        this.most = server.getMaxRequestSize();
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        if (request.getContentLength() > most) {
            throw new Refused(new Problem.TooLarge("the body is larger than " + most + " bytes"));
        }
    }
}
