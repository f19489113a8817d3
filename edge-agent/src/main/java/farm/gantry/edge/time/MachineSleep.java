package farm.gantry.edge.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the machine was suspended since the agent started, which {@link Uptime} does not count. On Linux
 * the kernel reports it; elsewhere a clock that was set forward counts as sleep.
 */
public final class MachineSleep {
    /** Shorter sleeps are ignored. */
    private static final Duration MIN_DURATION = Duration.ofSeconds(1);

    private static final Path UPTIME = Path.of("/proc/uptime");
    /** The drift between the clocks above which the kernel is asked. */
    private static final Duration DRIFT = Duration.ofSeconds(1);
    /** A correction of the clock by less does not count as sleep. */
    private static final Duration MIN_STEP = Duration.ofSeconds(30);

    private static final MachineSleep MACHINE = new MachineSleep(
            () -> Duration.ofMillis(System.currentTimeMillis()).toNanos(), System::nanoTime, MachineSleep::sinceBoot);

    private final LongSupplier clock;
    private final LongSupplier monotonic;
    private final Supplier<@Nullable Duration> sinceBoot;
    private final @Nullable Duration bootOffset;
    private volatile long clockOffset;
    private volatile Duration total = Duration.ZERO;

    /**
     * Creates a measurement with other clocks, in nanoseconds. {@code sinceBoot} supplies the time since boot including
     * sleep, null if unknown.
     */
    MachineSleep(LongSupplier clock, LongSupplier monotonic, Supplier<@Nullable Duration> sinceBoot) {
        this.clock = clock;
        this.monotonic = monotonic;
        this.sinceBoot = sinceBoot;
        this.clockOffset = clock.getAsLong() - monotonic.getAsLong();
        this.bootOffset = bootOffset();
    }

    public static Duration total() {
        return MACHINE.read();
    }

    /** Returns whether the machine has slept between two totals. */
    public static boolean isBetween(Duration before, Duration after) {
        return after.minus(before).compareTo(MIN_DURATION) > 0;
    }

    synchronized Duration read() {
        long offset = clock.getAsLong() - monotonic.getAsLong();
        Duration step = Duration.ofNanos(offset - clockOffset);
        if (step.abs().compareTo(DRIFT) < 0) {
            return total;
        }
        clockOffset = offset;
        Duration boot = bootOffset();
        if (boot != null && bootOffset != null) {
            Duration slept = boot.minus(bootOffset);
            total = slept.compareTo(total) > 0 ? slept : total;
        } else if (step.compareTo(MIN_STEP) > 0) {
            total = total.plus(step);
        }
        return total;
    }

    private @Nullable Duration bootOffset() {
        Duration uptime = sinceBoot.get();
        return uptime == null ? null : uptime.minusNanos(monotonic.getAsLong());
    }

    private static @Nullable Duration sinceBoot() {
        try {
            String seconds = Files.readString(UPTIME).split(" ", 2)[0];
            return Duration.ofMillis(Math.round(Double.parseDouble(seconds) * 1000));
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }
}
