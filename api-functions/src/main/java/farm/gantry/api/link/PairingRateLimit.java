package farm.gantry.api.link;

import farm.gantry.StoreId;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts wrong pairing codes of the last minute: of each address (in IPv6 of each network of 64 bits, which one caller
 * has whole) and of each store whose codes were meant. Whoever tries too many keeps nobody else from pairing.
 */
final class PairingRateLimit {
    private static final int MOST = 20;
    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final int NETWORK_BYTES = 8;

    private final InstantSource clock;
    private final Map<String, Deque<Instant>> tries = new HashMap<>();

    PairingRateLimit(InstantSource clock) {
        this.clock = clock;
    }

    /** Refuses further attempts from an address. */
    void check(@Nullable InetAddress address) {
        check(key(address));
    }

    /** Refuses further attempts at a store's codes. */
    void check(StoreId store) {
        check(store.value());
    }

    private synchronized void check(String key) {
        Instant since = clock.instant().minus(WITHIN);
        tries.values().forEach(times -> times.removeIf(time -> time.isBefore(since)));
        tries.values().removeIf(Deque::isEmpty);
        if (tries.getOrDefault(key, new ArrayDeque<>()).size() >= MOST) {
            throw new ProblemException(new Problem.RateLimited(WITHIN));
        }
    }

    void add(@Nullable InetAddress address) {
        add(key(address));
    }

    void add(StoreId store) {
        add(store.value());
    }

    private synchronized void add(String key) {
        tries.computeIfAbsent(key, _ -> new ArrayDeque<>()).add(clock.instant());
    }

    private static String key(@Nullable InetAddress address) {
        if (address == null) {
            return "unknown";
        }
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
