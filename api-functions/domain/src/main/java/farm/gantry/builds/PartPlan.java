package farm.gantry.builds;

import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PrintTags;
import farm.gantry.schedule.FilamentNeed;
import farm.gantry.schedule.Requirement;
import farm.gantry.sku.LinkedPart;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
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

    /**
     * Returns its jobs, copy by copy, without serial numbers; {@code index} is the index of this plan in its {@link BuildPlan}.
     */
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
        return MaterialChoices.ofPlate(materials, plate);
    }

    /** Returns the plate's requirement of a printer; a part printed with other parameters has no known size. */
    public Requirement requirement(PlatePlan plate) {
        SortedMap<Integer, List<Assignment>> choices = new TreeMap<>();
        Map<String, List<Assignment>> ofPlate = materials(plate);
        if (ofPlate != null) {
            ofPlate.forEach((index, wishes) -> choices.put(Integer.valueOf(index), wishes));
        }
        boolean isGcode = part.type() == Part.Type.gcode || part.type() == Part.Type.gcode3mf;
        boolean needsSlicing = !isGcode || plate.fileUri() == null;
        PartMetadata metadata = part.metadata();
        return new Requirement(
                tags,
                choices,
                Objects.requireNonNullElse(part.materials(), List.of()),
                needsSlicing,
                part.overriddenProcessProfileId() != null
                        || (part.use3MFProcessProfile() && part.type() == Part.Type.THREE_MF),
                needsSlicing
                        ? null
                        : Requirement.FileTarget.of(
                                metadata == null ? null : metadata.printerModel(),
                                metadata == null ? null : metadata.profileCompat(),
                                metadata == null ? null : metadata.nozzleDiameter(),
                                part.type() == Part.Type.gcode3mf),
                parameters.isEmpty() && serials.isEmpty() ? part.size() : null,
                needsSlicing ? null : part.toolpath(),
                FilamentNeed.of(
                        part.slicingEstimate(),
                        plate.plateId(),
                        plate.estimate().grams()),
                List.of(),
                part.heldAt() != null);
    }
}
