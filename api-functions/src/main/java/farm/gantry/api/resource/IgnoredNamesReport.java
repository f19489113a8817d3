package farm.gantry.api.resource;

import farm.gantry.api.http.IgnoredNames;
import farm.gantry.api.http.JsonBodyReader;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.servlet.http.ServletHttpRequest;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names what {@link IgnoredNamesCheck} found in the header {@code Gantry-Ignored}. It surrounds that filter, whose errors carry
 * the header {@code Preference-Applied} too.
 */
@ServerFilter("/v*/**")
@Order(1)
final class IgnoredNamesReport {
    @ResponseFilter
    void report(HttpRequest<?> request, MutableHttpResponse<?> response) {
        String ignored = Stream.of(
                        request.getAttribute(IgnoredNamesCheck.PARAMETERS, String.class),
                        request.getAttribute(IgnoredNamesCheck.FIELDS, String.class),
                        // A function's request has this header only if the client sent it.
                        Optional.of(request)
                                .filter(served -> !(served instanceof ServletHttpRequest))
                                .map(served -> served.getHeaders().get(JsonBodyReader.IGNORED)))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        if (!ignored.isEmpty()) {
            response.header(IgnoredNames.HEADER, ignored);
        }
        if (IgnoredNames.isStrict(request.getHeaders())) {
            response.header(IgnoredNames.APPLIED, IgnoredNames.STRICT);
        }
    }
}
