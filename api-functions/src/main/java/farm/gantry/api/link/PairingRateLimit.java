package farm.gantry.api.link;

import farm.gantry.StoreId;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.ratelimit.RateLimit;
import farm.gantry.api.http.ratelimit.RateLimits;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Limits wrong pairing codes per address (in IPv6 per /64 network, which one caller owns) and per store of the
 * attempted codes. One caller's attempts do not block others from pairing.
 */
final class PairingRateLimit {
    private static final int MAX_PER_MINUTE = 20;
    private static final int NETWORK_BYTES = 8;
    /** Prefix of caller names, so that none equals an API key. */
    private static final String PAIRING = "pairing ";

    private final RateLimit tries;

    PairingRateLimit(RateLimits limits) {
        this.tries = limits.create(MAX_PER_MINUTE, MAX_PER_MINUTE);
    }

    /** Throws if the address has made too many attempts. */
    void check(@Nullable InetAddress address) {
        check(key(address));
    }

    /** Throws if there were too many attempts at the store's codes. */
    void check(StoreId store) {
        check(key(store));
    }

    private void check(String key) {
        RateLimit.Decision decision = tries.check(key);
        if (!decision.allowed()) {
            throw new ProblemException(new Problem.RateLimited(decision.retryAfter()));
        }
    }

    void add(@Nullable InetAddress address) {
        tries.take(key(address));
    }

    void add(StoreId store) {
        tries.take(key(store));
    }

    private static String key(StoreId store) {
        return PAIRING + store.value();
    }

    private static String key(@Nullable InetAddress address) {
        if (address == null) {
            return PAIRING + "unknown";
        }
        byte[] bytes = address.getAddress();
        return PAIRING
                + HexFormat.of()
                        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
