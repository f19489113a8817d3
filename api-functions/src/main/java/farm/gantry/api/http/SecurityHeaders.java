package farm.gantry.api.http;

import farm.gantry.api.http.address.CallerAddress;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Security headers: browsers may only display a response, unless its route allows more. */
@ServerFilter("/**")
final class SecurityHeaders {
    private static final String POLICY = "Content-Security-Policy";
    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'; sandbox";
    private static final String STRICT_TRANSPORT_SECURITY = "max-age=31536000";

    @ResponseFilter
    void add(HttpRequest<?> request, MutableHttpResponse<?> response) {
        add(request, response.getHeaders());
    }

    /** Allows responses with an entity tag to be cached and revalidated; no others are cached. */
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
        // gateways accept only TLS
        if (request.isSecure() || CallerAddress.isSetByGateway(request)) {
            headers.set("Strict-Transport-Security", STRICT_TRANSPORT_SECURITY);
        }
    }
}
