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
public final class BodyTypeCheck {
    /** The header that has a type other than JSON, in the place of {@code Content-Type}. */
    public static final String HIDDEN = "Gantry-Content-Type";

    /** Hides a type other than JSON from the router. */
    static void hide(MutableHttpHeaders headers) {
        headers.remove(HIDDEN);
        String type = headers.get(HttpHeaders.CONTENT_TYPE);
        if (!isJson(type)) {
            headers.set(HIDDEN, type);
            headers.remove(HttpHeaders.CONTENT_TYPE);
        }
    }

    /** Whether a body of the type is JSON; one without a type is taken for it. */
    public static boolean isJson(@Nullable String type) {
        return type == null || type.split(";", 2)[0].strip().equalsIgnoreCase(MediaType.APPLICATION_JSON);
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        request.getHeaders()
                .findFirst(HIDDEN)
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
