package farm.gantry.edge.time;

import java.time.Duration;

/** What only waits is measured by this. */
public final class Uptime {
    private static final long BEGUN = System.nanoTime();

    private Uptime() {}

    /** How long the agent has been running; never set, so it only grows. */
    public static Duration now() {
        return Duration.ofNanos(System.nanoTime() - BEGUN);
    }

    /** The same with the time for which its machine slept. */
    public static Duration withSleep() {
        return now().plus(MachineSleep.total());
    }
}
