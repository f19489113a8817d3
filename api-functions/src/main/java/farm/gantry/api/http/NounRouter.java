package farm.gantry.api.http;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.http.HttpRequest;
import io.micronaut.web.router.DefaultRouter;
import io.micronaut.web.router.RouteBuilder;
import io.micronaut.web.router.UriRouteInfo;
import io.micronaut.web.router.UriRouteMatch;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds a request's route among those of its noun, such as {@code /v1/parts}; Micronaut's router tries the templates of
 * all nouns. If the path does not match exactly one route, Micronaut's router decides.
 */
@Singleton
@Replaces(DefaultRouter.class)
final class NounRouter extends DefaultRouter {
    private static final String VARIABLE = "{";

    /** Method → noun → routes. */
    private final Map<String, Map<String, List<UriRouteInfo<?, ?>>>> routes;

    NounRouter(Collection<RouteBuilder> builders) {
        super(builders);
        List<String> open = uriRoutes()
                .map(NounRouter::noun)
                .filter(noun -> noun.contains(VARIABLE))
                .map(noun -> noun.substring(0, noun.indexOf(VARIABLE)))
                .toList();
        this.routes = uriRoutes()
                .distinct()
                .filter(route -> open.stream().noneMatch(noun(route)::startsWith))
                .collect(Collectors.groupingBy(
                        UriRouteInfo::getHttpMethodName, Collectors.groupingBy(NounRouter::noun)));
    }

    private static String noun(UriRouteInfo<?, ?> route) {
        return noun(route.getUriMatchTemplate().toPathString());
    }

    /** Returns the first two segments of the path. */
    private static String noun(String path) {
        int end = path.indexOf('/', path.indexOf('/', 1) + 1);
        return end < 0 ? path : path.substring(0, end);
    }

    /** The router's interface leaves the type arguments to the caller. */
    @Override
    @SuppressWarnings("unchecked")
    public <T, R> @Nullable UriRouteMatch<T, R> findClosest(HttpRequest<?> request) {
        UriRouteMatch<?, ?> only = only(request);
        return only == null ? super.findClosest(request) : (UriRouteMatch<T, R>) only;
    }

    private @Nullable UriRouteMatch<?, ?> only(HttpRequest<?> request) {
        String path = request.getPath();
        UriRouteMatch<?, ?> only = null;
        for (UriRouteInfo<?, ?> route :
                routes.getOrDefault(request.getMethodName(), Map.of()).getOrDefault(noun(path), List.of())) {
            UriRouteMatch<?, ?> match = route.tryMatch(path);
            if (match != null) {
                if (only != null || !accepts(route, request)) {
                    return null;
                }
                only = match;
            }
        }
        return only;
    }

    private static boolean accepts(UriRouteInfo<?, ?> route, HttpRequest<?> request) {
        boolean isBodyRead = !request.getMethod().permitsRequestBody()
                || (route.isPermitsRequestBody()
                        && route.doesConsume(request.getContentType().orElse(null)));
        return isBodyRead && route.doesProduce(request.accept()) && route.matching(request);
    }
}
