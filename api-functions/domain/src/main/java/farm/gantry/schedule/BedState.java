package farm.gantry.schedule;

import farm.gantry.printer.PrinterState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the farm may believe of a printer's bed. {@code isConfirmed} is that a person, or a macro, made the printer ready
 * and nothing happened since; {@code isClear} that the bed was not used since it was last said to be clear;
 * {@code isUnverified} that it was said while the printer was out of reach, at {@code clearedAt}, and {@code printCounter}
 * what the printer's counter of prints stood at then, null where it has none or was never seen. Whatever puts something on
 * the bed makes all of it false.
 */
public record BedState(
        boolean isConfirmed,
        boolean isClear,
        boolean isUnverified,
        @Nullable String printCounter,
        @Nullable Instant clearedAt) {

    /** Something was, or may have been, printed: nobody may print there until somebody has looked. */
    public static final BedState USED = new BedState(false, false, false, null, null);

    /** A person says that it is clear, or a macro has cleared it; {@code last} is what was last seen of the printer. */
    public static BedState cleared(@Nullable PrinterState last, Instant now) {
        boolean isUnverified = last == null || last.connection() == PrinterState.Connection.offline;
        return new BedState(true, true, isUnverified, last == null ? null : last.printCounter(), isUnverified ? now : null);
    }

    /** The printer is in doubt for a reason that has nothing to do with the bed, such as an error it reports. */
    public BedState asUnconfirmed() {
        return isUnverified ? USED : new BedState(false, isClear, false, printCounter, null);
    }

    /**
     * After the printer has told what it does: a print of somebody else has used the bed, whether it is seen or the
     * counter of prints tells of it; and a bed that was cleared while the printer was out of reach is verified when the
     * printer stands still and its counter is as it was or, where none was known, so soon that nothing can have been printed.
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

    /** Returns why a person cannot confirm the printer in this state, as a code and a text; null when they can. */
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
