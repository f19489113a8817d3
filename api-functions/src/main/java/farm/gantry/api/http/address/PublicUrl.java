package farm.gantry.api.http.address;

import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * Address of this installation. A request's {@code Host} is used only if it is one of this machine's names or a trusted
 * proxy forwarded it, because it can be forged and signed URLs are passed on to others.
 */
@Singleton
public final class PublicUrl {
    private final String configured;
    private final String listenAddress;
    private final TrustedProxies proxies;
    private final MachineNames names;

    PublicUrl(
            @Value("${gantry.public-url:}") String configured,
            @Value("${micronaut.server.host:0.0.0.0}") String listenAddress,
            TrustedProxies proxies,
            MachineNames names) {
        this.configured = configured;
        this.listenAddress = listenAddress;
        this.proxies = proxies;
        this.names = names;
    }

    /** Returns the configured address, if any; the only one known outside of a request. */
    public Optional<String> configured() {
        return configured.isEmpty() ? Optional.empty() : Optional.of(configured);
    }

    /** Returns the origin of the address by which the client reached this farm. */
    public URI originOf(HttpRequest<?> request) {
        URI base = URI.create(ofRequest(request));
        return URI.create(base.getScheme() + "://" + base.getRawAuthority());
    }

    public String ofRequest(HttpRequest<?> request) {
        if (!configured.isEmpty()) {
            return configured;
        }
        String host = request.getHeaders().get("host");
        if (CallerAddress.isSetByGateway(request)) {
            return "https://" + host; // a gateway accepts only its own names
        }
        boolean proxied = proxies.isForwarded(request);
        String scheme = request.isSecure() ? "https" : "http";
        if (proxied) {
            host = first(request, "x-forwarded-host").orElse(host);
            scheme = first(request, "x-forwarded-proto")
                    .filter(each -> each.equalsIgnoreCase("https") || each.equalsIgnoreCase("http"))
                    .orElse(scheme);
        }
        String named = scheme.toLowerCase(Locale.ROOT) + "://" + host;
        return isOwnHost(named, proxied) ? named : scheme + "://" + literal(request.getServerAddress());
    }

    /**
     * Returns the address at which other devices reach this installation: the one of the request, or this machine's in
     * the network if the request names the machine itself. Empty if the server accepts connections of this machine only.
     */
    public Optional<String> forOtherDevices(HttpRequest<?> request) {
        URI own = URI.create(ofRequest(request));
        if (!isLoopback(own.getHost())) {
            return Optional.of(own.toString());
        }
        if (isLoopback(listenAddress)) {
            return Optional.empty();
        }
        return names.networkAddress()
                .map(address -> own.getScheme() + "://" + literal(new InetSocketAddress(address, own.getPort())));
    }

    private static boolean isLoopback(String host) {
        try {
            return host.equals("localhost")
                    || InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false; // a name
        }
    }

    private static Optional<String> first(HttpRequest<?> request, String header) {
        return Optional.ofNullable(request.getHeaders().get(header))
                .map(value -> value.split(",", 2)[0].strip())
                .filter(value -> !value.isEmpty());
    }

    private boolean isOwnHost(String named, boolean proxied) {
        try {
            URI uri = new URI(named).parseServerAuthority();
            boolean bare =
                    uri.getHost() != null && uri.getUserInfo() == null && named.endsWith("://" + uri.getRawAuthority());
            return bare && (proxied || names.contains(uri.getHost()));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static String literal(InetSocketAddress address) {
        String text = address.getAddress().getHostAddress().replaceFirst("%.*", "");
        return (address.getAddress() instanceof Inet6Address ? "[" + text + "]" : text) + ":" + address.getPort();
    }
}
