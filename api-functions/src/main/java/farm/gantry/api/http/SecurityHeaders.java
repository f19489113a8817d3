package farm.gantry.api.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** What a browser may do with an answer: nothing but show it, unless the route says otherwise. */
@ServerFilter("/**")
final class SecurityHeaders {
    private static final String POLICY = "Content-Security-Policy";
    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'; sandbox";
    private static final String A_YEAR = "max-age=31536000";

    @ResponseFilter
    void add(HttpRequest<?> request, MutableHttpResponse<?> response) {
        add(request, response.getHeaders());
    }

    /** What has a tag may be kept by its reader, and is asked for again; the rest is kept by nobody. */
    static void add(HttpRequest<?> request, MutableHttpHeaders headers) {
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        if (!headers.contains(POLICY)) {
            headers.set(POLICY, NOTHING);
        }
        if (!headers.contains(HttpHeaders.CACHE_CONTROL)) {
            headers.set(
                    HttpHeaders.CACHE_CONTROL, headers.contains(HttpHeaders.ETAG) ? "private, no-cache" : "no-store");
        }
        if (request.isSecure() || CallerAddress.isSetByGateway(request)) { // a gateway is reached by TLS alone
            headers.set("Strict-Transport-Security", A_YEAR);
        }
    }
}
