package farm.gantry.edge.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MachineSleepTest {
    private final AtomicLong clock = new AtomicLong(Duration.ofDays(20_000).toNanos());
    private final AtomicLong monotonic = new AtomicLong(Duration.ofMinutes(7).toNanos());
    private final AtomicLong boot = new AtomicLong(Duration.ofHours(3).toNanos());

    @Test
    void sleepIsTheDifferenceBetweenKernelTimeAndUptime() {
        MachineSleep sleep = ofLinux();
        awake(Duration.ofMinutes(1));
        assertThat(sleep.read()).isZero();
        asleep(Duration.ofHours(1));
        assertThat(sleep.read()).isEqualTo(Duration.ofHours(1));
        awake(Duration.ofMinutes(1));
        asleep(Duration.ofSeconds(5));
        assertThat(sleep.read()).isEqualTo(Duration.ofHours(1).plusSeconds(5));
    }

    @Test
    void clockChangeIsNotSleepIfTheKernelReportsSleep() {
        MachineSleep sleep = ofLinux();
        clock.addAndGet(Duration.ofDays(365).toNanos());
        assertThat(sleep.read()).isZero();
        clock.addAndGet(-Duration.ofDays(365).toNanos());
        assertThat(sleep.read()).isZero();
        asleep(Duration.ofHours(1));
        assertThat(sleep.read()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void forwardClockChangeCountsAsSleepOutsideOfLinux() {
        MachineSleep sleep = new MachineSleep(clock::get, monotonic::get, () -> null);
        asleep(Duration.ofHours(1));
        assertThat(sleep.read()).isEqualTo(Duration.ofHours(1));
        clock.addAndGet(Duration.ofSeconds(20).toNanos());
        clock.addAndGet(-Duration.ofDays(1).toNanos());
        assertThat(sleep.read()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void sleepOfARunningMachineIsBelowASecond() {
        assertThat(MachineSleep.total()).isLessThan(Duration.ofSeconds(1));
    }

    private MachineSleep ofLinux() {
        return new MachineSleep(clock::get, monotonic::get, () -> Duration.ofNanos(boot.get()));
    }

    private void awake(Duration time) {
        monotonic.addAndGet(time.toNanos());
        asleep(time);
    }

    private void asleep(Duration time) {
        clock.addAndGet(time.toNanos());
        boot.addAndGet(time.toNanos());
    }
}
