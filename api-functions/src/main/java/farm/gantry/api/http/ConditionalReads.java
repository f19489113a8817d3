package farm.gantry.api.http;

import farm.gantry.api.json.RawJson;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.security.Caller;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.json.JsonMapper;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.RouteAttributes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.reactivestreams.Publisher;

/**
 * Adds an {@code ETag} to every GET or HEAD response of a single record, and returns 304 if {@code If-None-Match}
 * matches.
 */
@ServerFilter("/**")
public final class ConditionalReads {
    private final JsonMapper mapper;
    private final Map<ExecutableMethod<?, ?>, Boolean> tagged = new ConcurrentHashMap<>();

    ConditionalReads(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Whether responses of the route have an entity tag: it needs a caller and returns no list, image or stream. */
    public static boolean isTagged(ExecutableMethod<?, ?> route) {
        Argument<?> type = route.getReturnType().asArgument();
        Class<?> answer = HttpResponse.class.isAssignableFrom(type.getType())
                ? type.getFirstTypeVariable().<Class<?>>map(Argument::getType).orElse(Object.class)
                : type.getType();
        return Arrays.asList(route.getArgumentTypes()).contains(Caller.class)
                && !List.class.isAssignableFrom(answer)
                && answer != SearchResponse.class
                && answer != byte[].class
                && answer != Publisher.class;
    }

    @ResponseFilter
    void addEntityTag(HttpRequest<?> request, MutableHttpResponse<?> response) {
        boolean isRead = request.getMethod() == HttpMethod.GET || request.getMethod() == HttpMethod.HEAD;
        Object body = request.getMethod() == HttpMethod.HEAD
                ? RouteAttributes.getHeadBody(response).orElse(null)
                : response.body();
        if (!isRead
                || response.status() != HttpStatus.OK
                || !(RouteAttributes.getRouteInfo(request).orElse(null) instanceof MethodBasedRouteInfo<?, ?> route)
                || !tagged.computeIfAbsent(route.getTargetMethod().getExecutableMethod(), ConditionalReads::isTagged)
                || body == null) {
            return;
        }
        EntityTag tag = EntityTag.of(toJson(body));
        response.header(HttpHeaders.ETAG, tag.value());
        if (tag.isNoneMatchedBy(request.getHeaders().getAll(HttpHeaders.IF_NONE_MATCH))) {
            response.status(HttpStatus.NOT_MODIFIED).body(null);
            response.getHeaders().remove(HttpHeaders.CONTENT_TYPE);
        }
    }

    private RawJson<?> toJson(Object body) {
        if (body instanceof RawJson<?> json) {
            return json;
        }
        try {
            return RawJson.of(mapper.writeValueAsBytes(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
