package farm.gantry.ingest.stage;

import java.time.Duration;

/**
 * Limits of a run: {@code fileBytes} is the largest part file, {@code attempts} how often a stage is
 * tried while the files cannot be reached, {@code pause} the wait before the second try, which doubles after that.
 */
public record RunLimits(long fileBytes, int attempts, Duration pause) {
    public static final RunLimits DEFAULTS = new RunLimits(2L << 30, 4, Duration.ofMillis(500));

    /** Waits before the try after this one. */
    void backOff(int attempt) {
        try {
            Thread.sleep(pause.multipliedBy(1L << (attempt - 1)));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        RunInterruptedException.check();
    }
}
