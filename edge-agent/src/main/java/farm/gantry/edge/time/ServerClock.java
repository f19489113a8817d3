package farm.gantry.edge.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The time at the API, by which its commands expire: known from its answers, and carried on from there without the
 * machine's clock, which may be set back or forward at any time. Until the API has answered, the machine's clock holds.
 */
public final class ServerClock implements InstantSource {
    private static final Duration TOLERANCE = Duration.ofSeconds(2);
    /** The API tells whole seconds, cut off. */
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    private final InstantSource machine;
    private volatile @Nullable Told told;
    private volatile boolean known;

    private record Told(Instant at, Duration elapsed) {}

    public ServerClock(InstantSource machine) {
        this.machine = machine;
    }

    @Override
    public Instant instant() {
        Told last = told;
        return last == null
                ? machine.instant()
                : last.at().plus(Uptime.withSleep().minus(last.elapsed()));
    }

    /**
     * Whether the clock says the time. That of a machine may be wrong until the API has answered: after a power cut, one
     * without a battery goes on where it stopped.
     */
    public static boolean isKnown(InstantSource clock) {
        return !(clock instanceof ServerClock server) || server.known;
    }

    /** The API has answered without telling the time: there is none but the machine's. */
    public void trustMachine() {
        known = true;
    }

    /** Takes over what the API said since it was {@code asked}, unless that is what is known already. */
    public synchronized void hear(Instant asked, Instant time) {
        Instant now = instant();
        boolean right = !time.isBefore(asked.minus(TOLERANCE)) && !time.isAfter(now.plus(TOLERANCE));
        if (!right) {
            told = new Told(time.plus(HALF_A_SECOND), Uptime.withSleep());
        } else if (told == null) {
            told = new Told(now, Uptime.withSleep());
        }
        known = true;
    }
}
