package farm.gantry.edge.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AwakeClockTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AwakeClock awake = new AwakeClock(nanos::get);

    @Test
    void timeDuringWhichTheProcessWasSuspendedDoesNotCount() {
        for (int beat = 0; beat < 8; beat++) {
            pass(Duration.ofMillis(250));
            awake.tick();
        }
        assertThat(awake.now()).isEqualTo(Duration.ofSeconds(2));
        pass(Duration.ofMinutes(5));
        assertThat(awake.now()).as("before the late beat").isEqualTo(Duration.ofSeconds(3));
        awake.tick();
        pass(Duration.ofMillis(250));
        assertThat(awake.now()).isEqualTo(Duration.ofMillis(3_250));
    }

    @Test
    void timeoutExcludesTimeInWhichTheProcessWasSuspended() throws Exception {
        List<Duration> waits = new ArrayList<>();
        boolean done = awake.await(
                nanoseconds -> {
                    waits.add(Duration.ofNanos(nanoseconds));
                    pass(Duration.ofSeconds(15));
                    awake.tick();
                    return waits.size() == 3;
                },
                Duration.ofSeconds(10));
        assertThat(done).isTrue();
        assertThat(waits).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(9), Duration.ofSeconds(8));
    }

    @Test
    void waitTimesOutWhileTheProcessRuns() throws Exception {
        boolean done = awake.await(
                nanoseconds -> {
                    for (long left = nanoseconds;
                            left > 0;
                            left -= Duration.ofMillis(500).toNanos()) {
                        pass(Duration.ofMillis(500));
                        awake.tick();
                    }
                    return false;
                },
                Duration.ofSeconds(10));
        assertThat(done).isFalse();
        assertThat(awake.now()).isEqualTo(Duration.ofSeconds(10));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
