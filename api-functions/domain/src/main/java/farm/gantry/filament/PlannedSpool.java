package farm.gantry.filament;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.SlotFilament;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A spool in a plan. Without an id it is not known to exist; null {@code freeGrams} means unlimited. */
public record PlannedSpool(
        @Nullable String instanceId,
        @Nullable String variantId,
        @Nullable String materialId,
        @Nullable String materialType,
        @Nullable Double freeGrams) {
    static final PlannedSpool ANY = new PlannedSpool(null, null, null, null, null);

    private static final PrintJob.Slot NOWHERE = new PrintJob.Slot(0, 0);

    /** Returns a virtual spool of the first requested material; of any filament if none is requested. */
    static PlannedSpool virtualSpool(JobMatcher matching, List<Assignment> wishes) {
        if (wishes.isEmpty()) {
            return ANY;
        }
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

    /**
     * Returns how well the spool matches the requested materials: lower is better; empty when it matches none. All spools match equally if
     * none are requested.
     */
    OptionalInt matchRank(JobMatcher matching, List<Assignment> wishes) {
        return wishes.isEmpty()
                ? OptionalInt.of(0)
                : matching.rank(wishes, new SlotFilament(NOWHERE, variantId, materialId, materialType, false));
    }
}
