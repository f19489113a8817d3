package farm.gantry.api.http.address;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prevents DNS rebinding on an installation that only this machine can reach: rejects requests whose Host is not this
 * machine, because a web page may resolve its own name to loopback and read responses. Requests with two Host headers
 * are always rejected.
 */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 1) // plain-words: ok
final class HostCheck {
    private final boolean isLoopback;
    private final @Nullable String publicHost;
    private final TrustedProxies proxies;
    private final MachineNames names;

    HostCheck(
            @Value("${micronaut.server.host:}") String listensOn,
            @Value("${gantry.public-url:}") String publicUrl,
            TrustedProxies proxies,
            MachineNames names) {
        this.isLoopback = listensOn.equals("localhost") || isLoopback(listensOn);
        this.publicHost = publicUrl.isEmpty() ? null : URI.create(publicUrl).getHost();
        this.proxies = proxies;
        this.names = names;
    }

    private static boolean isLoopback(String literal) {
        try {
            return InetAddress.ofLiteral(literal).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @PreMatching
    @RequestFilter
    void check(HttpRequest<?> request) {
        List<String> hosts = request.getHeaders().getAll(HttpHeaders.HOST);
        if (hosts.size() > 1) {
            throw new ProblemException(new Problem.BadRequest("the request has two Host headers"));
        }
        if (isLoopback && !proxies.isForwarded(request) && (hosts.isEmpty() || !isOwnHost(hosts.getFirst()))) {
            throw new ProblemException(new Problem.BadRequest(
                    "the Host header does not name this machine; if clients use another name, set gantry.public-url"));
        }
    }

    private boolean isOwnHost(String host) {
        try {
            URI uri = new URI("http://" + host).parseServerAuthority();
            String name = uri.getHost();
            return name != null
                    && uri.getUserInfo() == null
                    && (name.equalsIgnoreCase(publicHost) || names.contains(name));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
