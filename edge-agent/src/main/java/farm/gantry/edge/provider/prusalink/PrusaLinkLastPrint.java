package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last status in which a print was running, and the first one without it. PrusaLink keeps no history of prints, so
 * these two decide whether a print ended by itself while nobody saw it. Both times are uptimes.
 */
public record PrusaLinkLastPrint(
        String fileName,
        Duration remaining,
        Duration runningAt,
        @Nullable Duration goneAt) {
    /**
     * A Raspberry Pi shows the end of a print for this long: an end that a shorter gap hides was neither finished nor
     * stopped.
     */
    private static final Duration END_SHOWN = Duration.ofSeconds(11);

    /** The remaining time comes from M73, in whole minutes. */
    private static final Duration ROUNDING = Duration.ofSeconds(30);

    /** Returns the state after this status. {@code last} is the state before it, null without one. */
    public static @Nullable PrusaLinkLastPrint after(
            @Nullable PrusaLinkLastPrint last, PrinterStatus reading, Duration at) {
        PrinterStatus.File file = reading.file();
        if (reading.status() == Status.printing && reading.errors().isEmpty() && file != null) {
            Long remaining = file.remainingSeconds();
            return remaining == null
                    ? null
                    : new PrusaLinkLastPrint(file.name(), Duration.ofSeconds(remaining), at, null);
        }
        if (last == null || file != null || !reading.errors().isEmpty()) {
            return null;
        }
        return last.goneAt() == null
                ? new PrusaLinkLastPrint(last.fileName(), last.remaining(), last.runningAt(), at)
                : last;
    }

    /**
     * Returns whether the printer was not observed from before the expected end of this file's print until after it.
     */
    public boolean hidesEndOf(String file) {
        if (goneAt == null || !fileName.equals(file)) {
            return false;
        }
        Duration unseen = goneAt.minus(runningAt);
        return unseen.compareTo(END_SHOWN) > 0 && unseen.plus(ROUNDING).compareTo(remaining) >= 0;
    }
}
