package farm.gantry.local;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a condition in other processes, and reports the last state on a timeout. */
public final class Eventually {
    private static final Duration MAX_DURATION = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private Eventually() {}

    public interface Source {
        JsonNode read() throws IOException;
    }

    /** Reads repeatedly until a response meets the condition, and returns it. A failed request is retried. */
    public static JsonNode see(String what, Source source, Predicate<JsonNode> wished) {
        AtomicReference<@Nullable Object> last = new AtomicReference<>();
        AtomicReference<@Nullable JsonNode> seen = new AtomicReference<>();
        until(
                what,
                () -> {
                    try {
                        JsonNode answer = source.read();
                        last.set(FarmRequests.describe(answer));
                        if (wished.test(answer)) {
                            seen.set(answer);
                        }
                    } catch (IOException e) {
                        last.set(e);
                    }
                    return seen.get() != null;
                },
                () -> String.valueOf(last.get()));
        JsonNode found = seen.get();
        if (found == null) {
            throw new UncheckedIOException(new IOException(what));
        }
        return found;
    }

    public static void until(String what, BooleanSupplier condition, Supplier<?> instead) {
        long end = System.nanoTime() + MAX_DURATION.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("timed out waiting until " + what + "; the last state was: " + instead.get());
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
