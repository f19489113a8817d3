package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import org.jspecify.annotations.Nullable;

/**
 * The filament in a slot of a printer, as far as it is known. A person may specify it down to the variant; a printer reports the type at
 * most. {@code hasProfile} is true if it has a slicer profile.
 */
public record SlotFilament(
        PrintJob.Slot slot,
        @Nullable String variantId,
        @Nullable String materialId,
        @Nullable String materialType,
        boolean hasProfile) {}
