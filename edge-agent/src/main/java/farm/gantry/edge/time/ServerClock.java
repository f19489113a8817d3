package farm.gantry.edge.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The API's time, by which its commands expire. It is taken from the API's responses, and advanced without the
 * machine's clock, which may be set at any time. Until the API has answered, the machine's clock applies.
 */
public final class ServerClock implements InstantSource {
    private static final Duration TOLERANCE = Duration.ofSeconds(2);
    /** The API sends whole seconds, rounded down. */
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    private final InstantSource machine;
    private volatile @Nullable ServerTime serverTime;
    private volatile boolean known;

    private record ServerTime(Instant at, Duration elapsed) {}

    public ServerClock(InstantSource machine) {
        this.machine = machine;
    }

    @Override
    public Instant instant() {
        ServerTime last = serverTime;
        return last == null
                ? machine.instant()
                : last.at().plus(Uptime.withSleep().minus(last.elapsed()));
    }

    /**
     * Returns whether the clock is right. A machine's clock may be wrong until the API has answered: after a power cut,
     * one without a battery resumes from where it stopped.
     */
    public static boolean isKnown(InstantSource clock) {
        return !(clock instanceof ServerClock server) || server.known;
    }

    /** Uses the machine's clock, because the API has answered without a time. */
    public void trustMachine() {
        known = true;
    }

    /**
     * Sets this clock to the time in a response, unless the two agree within the tolerance. The request was sent at
     * {@code requestedAt}.
     */
    public synchronized void adjust(Instant requestedAt, Instant time) {
        Instant now = instant();
        boolean right = !time.isBefore(requestedAt.minus(TOLERANCE)) && !time.isAfter(now.plus(TOLERANCE));
        if (!right) {
            serverTime = new ServerTime(time.plus(HALF_A_SECOND), Uptime.withSleep());
        } else if (serverTime == null) {
            serverTime = new ServerTime(now, Uptime.withSleep());
        }
        known = true;
    }
}
