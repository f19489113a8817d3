package farm.gantry.api;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread or process does; it looks often, and leaves the core to what it waits for. */
public final class Eventually {
    private static final Duration MOST = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(5);

    private Eventually() {}

    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    public static <E extends Exception> void until(String what, Condition<E> condition) throws E {
        long end = System.nanoTime() + MOST.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
