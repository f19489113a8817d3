package farm.gantry.api.http;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.RouteAttributes;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** Rejects {@code If-Match} on changes that are not of a single record, because they would ignore it. */
@ServerFilter("/**")
@Order(1)
final class IfMatchCheck {
    private static final Set<HttpMethod> CHANGES = EnumSet.of(HttpMethod.PATCH, HttpMethod.PUT, HttpMethod.DELETE);

    @RequestFilter
    void check(HttpRequest<?> request) {
        if (request.getHeaders().contains(HttpHeaders.IF_MATCH)
                && CHANGES.contains(request.getMethod())
                && RouteAttributes.getRouteInfo(request).orElse(null) instanceof MethodBasedRouteInfo<?, ?> route
                && !Arrays.asList(route.getTargetMethod().getArgumentTypes()).contains(IfMatch.class)) {
            throw new ProblemException(new Problem.BadRequest(
                    "nothing was changed: If-Match is supported only for changes of a single record that has an ETag"));
        }
    }
}
