package farm.gantry.builds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One job to be queued: a plate of one copy of a part. {@code part} is the index of its plan in the {@link BuildPlan};
 * copies and SKU instances count from 1; {@code serials} are the numbers drawn for its parameters.
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
