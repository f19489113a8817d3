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
 * Rejects bodies that are not JSON after checking the key. The router would check the media type first and reveal the
 * route to callers without a key.
 */
@ServerFilter("/**")
@Order(1)
public final class BodyTypeCheck {
    /** Header that replaces {@code Content-Type} while a type other than JSON is hidden from the router. */
    public static final String ORIGINAL_TYPE_HEADER = "Gantry-Content-Type";

    /** Hides a type other than JSON from the router. */
    static void hide(MutableHttpHeaders headers) {
        headers.remove(ORIGINAL_TYPE_HEADER);
        String type = headers.get(HttpHeaders.CONTENT_TYPE);
        if (!isJson(type)) {
            headers.set(ORIGINAL_TYPE_HEADER, type);
            headers.remove(HttpHeaders.CONTENT_TYPE);
        }
    }

    /** Whether the media type is JSON; a missing type counts as JSON. */
    public static boolean isJson(@Nullable String type) {
        return type == null || type.split(";", 2)[0].strip().equalsIgnoreCase(MediaType.APPLICATION_JSON);
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        request.getHeaders()
                .findFirst(ORIGINAL_TYPE_HEADER)
                .filter(_ -> request.getMethod().permitsRequestBody() && acceptsOnlyJson(request))
                .ifPresent(type -> {
                    throw new ProblemException(
                            new Problem.UnsupportedMediaType("a body must be application/json, not '" + type + "'"));
                });
    }

    private static boolean acceptsOnlyJson(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request)
                .filter(route -> !route.getConsumes().contains(MediaType.ALL_TYPE))
                .isPresent();
    }
}
