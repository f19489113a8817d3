package farm.gantry.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The state of a printer beyond its record. {@code isBusy}: it reports a print. {@code isFit}: its state is known and has no fault. {@code
 * isClearing}: a macro is clearing its bed. {@code heldBack} is the reason why it temporarily gets no jobs, null if it may get one.
 */
public record PrinterCondition(
        boolean isBusy,
        boolean isFit,
        boolean isClearing,
        BedState bed,
        @Nullable String heldBack) {}
