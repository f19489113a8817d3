package farm.gantry.api.http;

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
 * Normalises headers before routing: {@code Accept} is dropped, because every route returns one type, which
 * {@link CsvResponses} converts if asked to, and so is the {@code Content-Type} of an empty body; {@code Accept-Encoding}
 * is reduced to gzip or nothing.
 */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE) // plain-words: ok
final class ContentNegotiation {

    @PreMatching
    @RequestFilter
    void normalizeHeaders(HttpRequest<?> request) {
        if (!(request.getHeaders() instanceof MutableHttpHeaders headers)) {
            return;
        }
        headers.remove(CsvResponses.WANTED_HEADER);
        if (CsvResponses.isWanted(headers.getAll(HttpHeaders.ACCEPT))) {
            headers.add(CsvResponses.WANTED_HEADER, "true");
        }
        headers.remove(HttpHeaders.ACCEPT);
        if (request.getContentLength() <= 0 && !headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
            headers.remove(HttpHeaders.CONTENT_TYPE);
        } else {
            BodyTypeCheck.hide(headers);
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
    void addVary(MutableHttpResponse<?> response) {
        response.getHeaders().set(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }
}
