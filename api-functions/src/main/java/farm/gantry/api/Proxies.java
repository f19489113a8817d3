package farm.gantry.api;

import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The configured proxies in front of this install, whose forwarded headers are believed; nobody else's are. */
@Singleton
public final class Proxies {
    private final List<AddressRange> ranges;

    Proxies(@Value("${gantry.proxies:}") List<String> configured) {
        this.ranges = configured.stream()
                .filter(range -> !range.isBlank())
                .map(range -> AddressRange.parse(range.strip())
                        .orElseThrow(() -> new IllegalArgumentException(
                                "gantry.proxies holds '" + range + "', which is neither an address nor a CIDR block")))
                .toList();
    }

    /** Whether a proxy is at the other end of the request's connection. */
    public boolean bring(HttpRequest<?> request) {
        return areAt(request.getRemoteAddress().getAddress());
    }

    private boolean areAt(InetAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    /**
     * Where a request comes from. Each proxy appends who it was asked by to {@code X-Forwarded-For}: the last of them
     * that is no proxy itself is the caller, and what stands before is only what the caller says.
     */
    public @Nullable InetAddress caller(HttpRequest<?> request) {
        InetAddress caller = CallerAddress.of(request);
        List<String> forwarded = List.of(
                String.join(",", request.getHeaders().getAll("x-forwarded-for")).split(","));
        for (String each : forwarded.reversed()) {
            if (caller == null || !areAt(caller)) {
                break;
            }
            Optional<InetAddress> before = address(each.strip());
            if (before.isEmpty()) {
                break;
            }
            caller = before.get();
        }
        return caller;
    }

    private static Optional<InetAddress> address(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
