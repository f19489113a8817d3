package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.address.CallerAddress;
import io.micronaut.context.annotation.Property;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.servlet.http.ServletHttpRequest;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sets the caller's address from API Gateway; on Lambda there is no connection. With {@code gantry.aws.origin-secret} it
 * rejects requests that do not come through CloudFront, which appends the address of its caller to
 * {@code X-Forwarded-For}.
 */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE) // plain-words: ok
final class GatewayCallerAddress {
    static final String SECRET_PROPERTY = "gantry.aws.origin-secret";
    static final String SECRET_HEADER = "gantry-origin-secret";

    private final byte @Nullable [] secret;

    GatewayCallerAddress(@Nullable @Property(name = SECRET_PROPERTY) String secret) {
        this.secret = secret == null ? null : secret.getBytes(StandardCharsets.UTF_8);
    }

    @RequestFilter
    void setCallerAddress(HttpRequest<?> request) {
        if (request instanceof ServletHttpRequest<?, ?> served
                && served.getNativeRequest() instanceof APIGatewayProxyRequestEvent event) {
            String address = event.getRequestContext().getIdentity().getSourceIp();
            CallerAddress.setByGateway(
                    request,
                    secret == null
                            ? InetAddress.ofLiteral(address)
                            : findViewer(request, address, secret).orElseGet(() -> InetAddress.ofLiteral(address)));
        }
    }

    /** Returns the address that CloudFront appended, which the gateway's {@code source} may follow. */
    private static Optional<InetAddress> findViewer(HttpRequest<?> request, String source, byte[] secret) {
        String sent = request.getHeaders().get(SECRET_HEADER);
        if (sent == null || !MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), secret)) {
            throw new ProblemException(
                    new Problem.Forbidden("this address is not for callers; use the address of the console", null));
        }
        String[] forwarded = request.getHeaders().getAll("x-forwarded-for").stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip)
                .toArray(String[]::new);
        for (int i = forwarded.length - 1; i >= 0; i--) {
            if (!forwarded[i].equals(source)) {
                try {
                    return Optional.of(InetAddress.ofLiteral(forwarded[i]));
                } catch (IllegalArgumentException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
