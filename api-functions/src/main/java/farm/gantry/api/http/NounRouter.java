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
 * Finds a request's route among those of its noun, such as {@code /v1/parts}, where Micronaut's router tries the templates of
 * all nouns. What is not the one route of its path is left to Micronaut's.
 */
@Singleton
@Replaces(DefaultRouter.class)
final class NounRouter extends DefaultRouter {
    private static final String VARIABLE = "{";

    /** By method and noun. */
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

    /** The first two segments. */
    private static String noun(String path) {
        int end = path.indexOf('/', path.indexOf('/', 1) + 1);
        return end < 0 ? path : path.substring(0, end);
    }

    /** As the router's interface has it, the caller says of which types the route is. */
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
