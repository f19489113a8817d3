package farm.gantry.edge.time;

import java.time.Duration;

/** The clock for durations and timeouts. */
public final class Uptime {
    private static final long BEGUN = System.nanoTime();

    private Uptime() {}

    /** Returns how long the agent has been running. It cannot be set, so it only grows. */
    public static Duration now() {
        return Duration.ofNanos(System.nanoTime() - BEGUN);
    }

    /** Returns the uptime including the time for which the machine slept. */
    public static Duration withSleep() {
        return now().plus(MachineSleep.total());
    }
}
