package farm.gantry.api.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Sets {@code X-Request-Id} on every response: the caller's own if it is valid, else a new one. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RequestIds {
    private static final String HEADER = "X-Request-Id";
    private static final String ATTRIBUTE = "gantry.requestId";
    private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]{1,128}");

    static String of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, String.class).orElseGet(() -> {
            String sent = request.getHeaders().get(HEADER);
            String id = sent != null && VISIBLE.matcher(sent).matches() ? sent : next();
            request.setAttribute(ATTRIBUTE, id);
            return id;
        });
    }

    /** Only for finding log lines, so a fast generator will do. */
    private static String next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return HexFormat.of().toHexDigits(random.nextLong()) + HexFormat.of().toHexDigits(random.nextLong());
    }

    @RequestFilter
    void assignId(HttpRequest<?> request) {
        of(request);
    }

    @ResponseFilter
    void addHeader(HttpRequest<?> request, MutableHttpResponse<?> response) {
        setHeader(of(request), response);
    }

    static void setHeader(String id, MutableHttpResponse<?> response) {
        response.getHeaders().set(HEADER, id);
    }
}
