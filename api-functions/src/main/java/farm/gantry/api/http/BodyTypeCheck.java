package farm.gantry.api.http;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.web.router.RouteAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a body that is not JSON, after the key was checked: the router would look at its type first, and tell who has no key.
 */
@ServerFilter("/**")
@Order(1)
final class BodyTypeCheck {
    private static final String ATTRIBUTE = "gantry.bodyType";

    /** Hides a type other than JSON from the router. */
    static void hide(HttpRequest<?> request, MutableHttpHeaders headers) {
        String type = headers.get(HttpHeaders.CONTENT_TYPE);
        if (!isJson(type)) {
            request.setAttribute(ATTRIBUTE, type);
            headers.remove(HttpHeaders.CONTENT_TYPE);
        }
    }

    private static boolean isJson(@Nullable String type) {
        return type == null || type.split(";", 2)[0].strip().equalsIgnoreCase(MediaType.APPLICATION_JSON);
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        request.getAttribute(ATTRIBUTE, String.class)
                .filter(_ -> request.getMethod().permitsRequestBody() && takesJsonAlone(request))
                .ifPresent(type -> {
                    throw new ProblemException(
                            new Problem.UnsupportedMediaType("a body must be application/json, not '" + type + "'"));
                });
    }

    private static boolean takesJsonAlone(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request)
                .filter(route -> !route.getConsumes().contains(MediaType.ALL_TYPE))
                .isPresent();
    }
}
