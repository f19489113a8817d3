package farm.gantry.api;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import java.util.List;

/**
 * Takes from a request, before its route is looked for, what decides nothing here: each route answers in one form, be it
 * accepted or not; where there is no body its type says nothing; and an answer is compressed by gzip or not at all.
 */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE)
final class Negotiation {

    @PreMatching
    @RequestFilter
    void simplify(HttpRequest<?> request) {
        if (!(request.getHeaders() instanceof MutableHttpHeaders headers)) {
            return;
        }
        headers.remove(HttpHeaders.ACCEPT);
        if (request.getContentLength() <= 0 && !headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
            headers.remove(HttpHeaders.CONTENT_TYPE);
        }
        List<String> codings = headers.getAll(HttpHeaders.ACCEPT_ENCODING);
        if (!codings.isEmpty()) {
            headers.remove(HttpHeaders.ACCEPT_ENCODING);
            if (Gzip.isPreferred(String.join(",", codings))) {
                headers.add(HttpHeaders.ACCEPT_ENCODING, "gzip");
            }
        }
    }

    @ResponseFilter
    void vary(MutableHttpResponse<?> response) {
        response.getHeaders().set(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }
}
