package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import org.jspecify.annotations.Nullable;

/**
 * What is loaded in a place of a printer, as far as anybody said: a person down to the variant, the printer itself the
 * type at most. {@code hasProfile} is whether a slicer can be told of it.
 */
public record SlotFilament(
        PrintJob.Slot slot,
        @Nullable String variantId,
        @Nullable String materialId,
        @Nullable String materialType,
        boolean hasProfile) {}
