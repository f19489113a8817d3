package farm.gantry.builds;

import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import farm.gantry.sku.LinkedPart;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one part to print: {@code quantity} in all, {@code ofInstance} in each instance of its SKU, each of them on
 * the plates. {@code parameters} override the part's own, {@code materials} are the choices for each filament.
 */
public record PartPlan(
        Part part,
        @Nullable LinkedPart linkedPart,
        int quantity,
        int ofInstance,
        @Nullable String label,
        PrintTags tags,
        @Nullable Map<String, Integer> plateQuantities,
        Map<String, List<Assignment>> materials,
        Map<String, Object> parameters,
        List<SerialBinding> serials,
        List<PlatePlan> plates) {

    public long jobCount() {
        return (long) quantity * plates.stream().mapToInt(PlatePlan::copies).sum();
    }

    /** Its jobs, copy by copy, without serial numbers; {@code index} is this plan's in its {@link BuildPlan}. */
    Stream<PlannedJob> jobs(int index) {
        return IntStream.rangeClosed(1, quantity).boxed().flatMap(copy -> {
            Integer instance = linkedPart == null ? null : (copy - 1) / ofInstance + 1;
            return plates.stream()
                    .flatMap(plate -> IntStream.range(0, plate.copies())
                            .mapToObj(_ -> new PlannedJob(index, plate, copy, instance, Map.of())));
        });
    }

    /** The label of a plate's jobs: the plate's own, that of the build, or the part's name. */
    public String label(PlatePlan plate) {
        String chosen = plate.label() == null ? label : plate.label();
        return chosen == null ? part.name() : chosen;
    }

    /** The material choices for the filaments that a plate uses; null where there are none. */
    public @Nullable Map<String, List<Assignment>> materials(PlatePlan plate) {
        return MaterialChoices.of(materials, plate);
    }
}
