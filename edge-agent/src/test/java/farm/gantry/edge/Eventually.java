package farm.gantry.edge;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits until a condition holds, and fails with its description after a timeout. */
public final class Eventually {
    private static final Duration MAX_DURATION = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private Eventually() {}

    public static void until(String what, BooleanSupplier condition) {
        until(what, condition, () -> "");
    }

    public static void until(String what, BooleanSupplier condition, Supplier<?> instead) {
        Instant end = Instant.now().plus(MAX_DURATION);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("waited in vain until " + what + "; instead: " + instead.get());
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
