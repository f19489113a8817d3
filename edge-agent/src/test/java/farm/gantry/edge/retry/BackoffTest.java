package farm.gantry.edge.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration MAX_DURATION = Duration.ofSeconds(30);
    private static final Duration RESTART_DELAY = Duration.ofSeconds(5);

    private final AtomicReference<Duration> uptime = new AtomicReference<>(Duration.ZERO);
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), MAX_DURATION, RESTART_DELAY, uptime::get);

    @Test
    void retriesStayFrequentForMinutesAfterADisconnect() {
        assertThat(longest()).as("never there").isBetween(MAX_DURATION.dividedBy(2), MAX_DURATION);
        backoff.reset();
        assertThat(backoff.nextDelay()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(longest()).as("just there").isBetween(RESTART_DELAY.dividedBy(2), RESTART_DELAY);
        uptime.set(Duration.ofMinutes(6));
        assertThat(longest()).as("gone for long").isBetween(MAX_DURATION.dividedBy(2), MAX_DURATION);
    }

    private Duration longest() {
        Duration last = Duration.ZERO;
        for (int tried = 0; tried < 10; tried++) {
            last = backoff.nextDelay();
        }
        return last;
    }
}
