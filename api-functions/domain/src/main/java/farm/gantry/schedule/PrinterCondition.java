package farm.gantry.schedule;

import org.jspecify.annotations.Nullable;

/**
 * What the farm knows of a printer beside its record. {@code isBusy} is what the printer says of itself, {@code isFit} that
 * its state is known and without a fault, {@code isClearing} that a macro is clearing its bed; {@code heldBack} says why
 * no job is sent to it for a while, null where it may have one.
 */
public record PrinterCondition(
        boolean isBusy,
        boolean isFit,
        boolean isClearing,
        BedState bed,
        @Nullable String heldBack) {}
