package farm.gantry.api.http.address;

import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Trusted proxies of this installation ({@code gantry.trusted-proxies}); only their forwarded headers are used. */
@Singleton
public final class TrustedProxies {
    private final List<AddressRange> ranges;

    TrustedProxies(@Value("${gantry.trusted-proxies:}") List<String> configured) {
        this.ranges = configured.stream()
                .filter(range -> !range.isBlank())
                .map(range -> AddressRange.parse(range.strip())
                        .orElseThrow(() -> new IllegalArgumentException(
                                "gantry.trusted-proxies holds '" + range + "', which is not an address or CIDR block")))
                .toList();
    }

    /** Whether the request's connection comes from a trusted proxy. */
    public boolean isForwarded(HttpRequest<?> request) {
        return isProxy(request.getRemoteAddress().getAddress());
    }

    public boolean isProxy(InetAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    /**
     * Returns the caller's address. Each proxy appends its client to {@code X-Forwarded-For}, so the caller is the last
     * address that is not a trusted proxy; earlier ones may be forged.
     */
    public @Nullable InetAddress callerAddress(HttpRequest<?> request) {
        InetAddress caller = CallerAddress.of(request);
        List<String> forwarded = List.of(
                String.join(",", request.getHeaders().getAll("x-forwarded-for")).split(","));
        for (String each : forwarded.reversed()) {
            if (caller == null || !isProxy(caller)) {
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
