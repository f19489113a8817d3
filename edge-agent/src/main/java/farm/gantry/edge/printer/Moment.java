package farm.gantry.edge.printer;

import farm.gantry.edge.time.MachineSleep;
import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A time by the clock, by the uptime of the agent, and by how long its machine slept until then, which that leaves out. */
record Moment(Instant time, Duration uptime, Duration asleep) {
    static Moment now(InstantSource clock) {
        return new Moment(clock.instant(), Uptime.now(), MachineSleep.total());
    }

    /** Of a clock that was set, and an uptime, the one that says more. */
    Duration since(Moment before) {
        Duration byClock = Duration.between(before.time, time).abs();
        Duration byUptime = elapsed().minus(before.elapsed());
        return byClock.compareTo(byUptime) > 0 ? byClock : byUptime;
    }

    /** Whether the machine has slept since. */
    boolean isAfterSleep(Moment before) {
        return MachineSleep.isBetween(before.asleep, asleep);
    }

    /** What the clock says now of the time that it was then. */
    Instant time(InstantSource clock) {
        return clock.instant().minus(Uptime.withSleep().minus(elapsed()));
    }

    private Duration elapsed() {
        return uptime.plus(asleep);
    }
}
