package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.SharedApi;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.web.router.DefaultRouter;
import io.micronaut.web.router.RouteBuilder;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteMatch;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NounRouterTest {
    private static final Set<HttpMethod> METHODS = EnumSet.complementOf(EnumSet.of(HttpMethod.CUSTOM));

    @Test
    void routerMatchesMicronautsRouter() {
        Collection<RouteBuilder> builders = SharedApi.context().getBeansOfType(RouteBuilder.class);
        Router plain = new DefaultRouter(builders);
        Router ours = SharedApi.bean(Router.class);
        assertThat(ours).isInstanceOf(NounRouter.class);
        List<String> paths = plain.uriRoutes()
                .map(route -> route.getUriMatchTemplate().toPathString().replaceAll("\\{[^}]*}", "0mww7x"))
                .filter(path -> !path.equals("/"))
                .distinct()
                .toList();
        assertThat(paths).hasSizeGreaterThan(100);
        for (String path : paths) {
            for (String asked : List.of(path, path + "/", path + "/unknown")) {
                for (HttpMethod method : METHODS) {
                    for (MediaType type : List.of(MediaType.APPLICATION_JSON_TYPE, MediaType.TEXT_CSV_TYPE)) {
                        assertThat(route(ours, method, asked, type))
                                .as("%s %s of %s", method, asked, type)
                                .isEqualTo(route(plain, method, asked, type));
                    }
                }
            }
        }
    }

    private static Optional<String> route(Router router, HttpMethod method, String path, MediaType type) {
        UriRouteMatch<?, ?> match =
                router.findClosest(HttpRequest.create(method, path).contentType(type));
        return Optional.ofNullable(match).map(found -> found.getRouteInfo() + " " + found.getVariableValues());
    }
}
