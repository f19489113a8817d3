package farm.gantry.api.apikey;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.address.PublicUrl;
import farm.gantry.apikey.SecretToken;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets the cookie with the token of a session. Browsers send a cookie to every port of a host, so its name
 * contains the port. With TLS it is bound to this host and never sent in clear text.
 */
@Singleton
final class SessionCookie {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final PublicUrl address;

    SessionCookie(PublicUrl address) {
        this.address = address;
    }

    /** Returns the token of the request. A request that changes something must come from a page of this origin. */
    Optional<SecretToken> readToken(HttpRequest<?> request) {
        String prefix = name(origin(request)) + "=";
        Optional<SecretToken> token = request.getHeaders().getAll(HttpHeaders.COOKIE).stream()
                .flatMap(header -> Arrays.stream(header.split(";", -1)))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(prefix))
                .flatMap(cookie -> SecretToken.parse(cookie.substring(prefix.length())).stream())
                .findFirst();
        if (token.isPresent() && isChange(request)) {
            requireOwnOrigin(request, request.getHeaders().get(HttpHeaders.ORIGIN));
        }
        return token;
    }

    /** Rejects requests from pages of other origins; programs send no origin. */
    void rejectOtherOrigins(HttpRequest<?> request) {
        String origin = request.getHeaders().get(HttpHeaders.ORIGIN);
        if (origin != null) {
            requireOwnOrigin(request, origin);
        }
    }

    private void requireOwnOrigin(HttpRequest<?> request, @Nullable String origin) {
        String own = origin(request).toString();
        if (!own.equalsIgnoreCase(origin)) {
            throw new ProblemException(new Problem.Forbidden(
                    "a session cookie may change data only from a page of " + own + "; see gantry.public-url", null));
        }
    }

    private static boolean isChange(HttpRequest<?> request) {
        HttpMethod method = request.getMethod();
        return method != HttpMethod.GET && method != HttpMethod.HEAD && method != HttpMethod.OPTIONS;
    }

    void set(HttpRequest<?> request, MutableHttpResponse<?> response, SecretToken token, Duration life) {
        set(request, response, token.toString(), life);
    }

    void clear(HttpRequest<?> request, MutableHttpResponse<?> response) {
        set(request, response, "", Duration.ZERO);
    }

    private void set(HttpRequest<?> request, MutableHttpResponse<?> response, String value, Duration life) {
        URI origin = origin(request);
        response.header(
                HttpHeaders.SET_COOKIE,
                name(origin) + "=" + value + "; Path=/; Max-Age=" + life.toSeconds() + "; HttpOnly; SameSite=Strict"
                        + (isSecure(origin) ? "; Secure" : ""));
    }

    private URI origin(HttpRequest<?> request) {
        return address.originOf(request);
    }

    private static boolean isSecure(URI origin) {
        return origin.getScheme().equals("https");
    }

    private static String name(URI origin) {
        int port = origin.getPort() >= 0 ? origin.getPort() : isSecure(origin) ? HTTPS : HTTP;
        return (isSecure(origin) ? "__Host-" : "") + "gantry-" + port;
    }
}
