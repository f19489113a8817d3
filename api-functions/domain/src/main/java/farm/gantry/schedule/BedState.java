package farm.gantry.schedule;

import farm.gantry.printer.PrinterState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The known state of a printer's bed. {@code isConfirmed}: a person or a macro made the printer ready, and nothing has happened since.
 * {@code isClear}: the bed was not used since it was last confirmed to be clear. {@code isUnverified}: it was confirmed at {@code
 * clearedAt} while the printer was unreachable, so the confirmation must still be verified; {@code printCounter} is the printer's counter
 * of prints at that time, null if it has none or was never seen. Anything that may put something on the bed makes all flags false.
 */
public record BedState(
        boolean isConfirmed,
        boolean isClear,
        boolean isUnverified,
        @Nullable String printCounter,
        @Nullable Instant clearedAt) {

    /** A bed on which something was or may have been printed: no job may start until a person has checked it. */
    public static final BedState USED = new BedState(false, false, false, null, null);

    /** Returns the state after a person, or a macro, confirmed the bed to be clear; {@code last} is the last known printer state. */
    public static BedState cleared(@Nullable PrinterState last, Instant now) {
        boolean isUnverified = last == null || last.connection() == PrinterState.Connection.offline;
        return new BedState(
                true, true, isUnverified, last == null ? null : last.printCounter(), isUnverified ? now : null);
    }

    /** Returns the state after an event that requires a new confirmation but does not affect the bed, such as an error of the printer. */
    public BedState asUnconfirmed() {
        return isUnverified ? USED : new BedState(false, isClear, false, printCounter, null);
    }

    /**
     * Returns the state after a report of the printer. A print that the farm did not start, seen directly or by the counter of prints, has
     * used the bed. A bed that was confirmed while the printer was unreachable is verified if the printer is idle and its counter is
     * unchanged or, if the counter was unknown, if too little time has passed for a print.
     */
    public BedState afterPrinterState(PrinterState state, boolean isForeign, Instant now) {
        if (state.connection() == PrinterState.Connection.offline || equals(USED)) {
            return this;
        }
        boolean isCounted = state.printCounter() != null || isUnverified;
        if (isForeign || (printCounter != null && isCounted && !printCounter.equals(state.printCounter()))) {
            return USED;
        }
        return switch (state.status()) {
            case idle, finished, failed, cancelled ->
                isUnverified && printCounter == null && !isClearedSince(now.minus(PrinterState.MIN_PRINT))
                        ? USED
                        : new BedState(isConfirmed, isClear, false, printCounter, null);
            case preparing, printing, paused -> isUnverified ? USED : this;
            case error, offline, unknown -> this;
        };
    }

    private boolean isClearedSince(Instant time) {
        return clearedAt != null && !clearedAt.isBefore(time);
    }

    /** Returns whether a job may start: a person confirmed the bed, or continuous printing continues from a clear bed. */
    public boolean isFree(boolean isContinuous) {
        return !isUnverified && (isConfirmed || (isContinuous && isClear));
    }

    /** Returns why a person cannot confirm the printer in this state; null if they can. */
    public static @Nullable Refusal findRefusal(PrinterState state) {
        return switch (state.status()) {
            case idle, finished, failed, cancelled, offline -> null;
            case preparing, printing ->
                new Refusal("printing", "it is printing: confirm that its bed is clear when it has ended");
            case paused ->
                new Refusal("paused", "its print is paused: confirm that its bed is clear when it has ended");
            case error ->
                new Refusal(
                        "error",
                        "it reports an error: clear the error at the printer, then confirm that its bed is clear");
            case unknown ->
                new Refusal(
                        "state_unknown",
                        "its state is not known: confirm that its bed is clear when it reports that it is idle");
        };
    }

    /** The reason why a confirmation is rejected. */
    public record Refusal(String code, String message) {}
}
