package farm.gantry.builds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to be queued: one plate of one copy of a part. {@code part} is the index of its plan in the {@link BuildPlan}. Copies and SKU
 * instances count from 1. {@code serials} are the serial numbers drawn for its parameters.
 */
public record PlannedJob(
        int part,
        PlatePlan plate,
        int quantityIndex,
        @Nullable Integer skuInstance,
        Map<String, Object> serials) {

    PlannedJob withSerials(Map<String, Object> drawn) {
        return new PlannedJob(part, plate, quantityIndex, skuInstance, drawn);
    }
}
