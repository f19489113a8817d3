package farm.gantry.edge.printer;

import farm.gantry.edge.time.MachineSleep;
import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A moment: the time by the wall clock, the agent's uptime, and how long the machine has slept until then, which the
 * uptime does not include.
 */
record TimePoint(Instant time, Duration uptime, Duration asleep) {
    static TimePoint now(InstantSource clock) {
        return new TimePoint(clock.instant(), Uptime.now(), MachineSleep.total());
    }

    /**
     * Returns the time since {@code before} by the wall clock or by the uptime, whichever is longer, because the wall
     * clock may have been changed.
     */
    Duration elapsedSince(TimePoint before) {
        Duration byClock = Duration.between(before.time, time).abs();
        Duration byUptime = elapsed().minus(before.elapsed());
        return byClock.compareTo(byUptime) > 0 ? byClock : byUptime;
    }

    /** Returns whether the machine has slept since. */
    boolean isAfterSleep(TimePoint before) {
        return MachineSleep.isBetween(before.asleep, asleep);
    }

    /** Returns the wall-clock time of this moment according to the current setting of the clock. */
    Instant time(InstantSource clock) {
        return clock.instant().minus(Uptime.withSleep().minus(elapsed()));
    }

    private Duration elapsed() {
        return uptime.plus(asleep);
    }
}
