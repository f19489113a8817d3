package farm.gantry.edge.printer;

import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A time by the clock, and by the uptime of the agent. */
record Moment(Instant time, Duration uptime) {
    static Moment now(InstantSource clock) {
        return new Moment(clock.instant(), Uptime.now());
    }

    /** Of a clock that was set, and an uptime that stands still while the machine sleeps, the one that says more. */
    Duration since(Moment before) {
        Duration byClock = Duration.between(before.time, time).abs();
        Duration byUptime = uptime.minus(before.uptime);
        return byClock.compareTo(byUptime) > 0 ? byClock : byUptime;
    }

    /** What the clock says now of the time that it was then. */
    Instant time(InstantSource clock) {
        return clock.instant().minus(Uptime.now().minus(uptime));
    }
}
