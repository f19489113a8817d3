package farm.gantry.filament;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.schedule.SlotFilament;
import farm.gantry.schedule.JobMatcher;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A spool to print from; one without an id is not known to be there, and one whose {@code freeGrams} are null never ends. */
public record PlannedSpool(
        @Nullable String instanceId,
        @Nullable String variantId,
        @Nullable String materialId,
        @Nullable String materialType,
        @Nullable Double freeGrams) {
    static final PlannedSpool ANY = new PlannedSpool(null, null, null, null, null);

    private static final PrintJob.Slot NOWHERE = new PrintJob.Slot(0, 0);

    /** Returns a virtual spool of the first requested material. */
    static PlannedSpool virtualSpool(JobMatcher matching, List<Assignment> wishes) {
        Assignment wish = wishes.getFirst();
        String variant = wish.groupId() == null
                ? wish.variantId()
                : matching.groups().entrySet().stream()
                        .filter(group -> group.getKey().equals(wish.groupId()))
                        .flatMap(group -> new TreeSet<>(group.getValue()).stream())
                        .findFirst()
                        .orElse(null);
        return new PlannedSpool(null, variant, wish.materialId(), wish.materialType(), null);
    }

    /** Returns how well the spool matches the requested materials: lower is better; empty when it matches none. */
    OptionalInt matchRank(JobMatcher matching, List<Assignment> wishes) {
        return matching.rank(wishes, new SlotFilament(NOWHERE, variantId, materialId, materialType, false));
    }
}
