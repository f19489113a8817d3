package farm.gantry.part;

import farm.gantry.Permission;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import farm.gantry.material.Assignment;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An allowed material of a part's filament; {@code index} is the filament's, counted from 0. The lowest priority is the first choice. */
@Serdeable
@Resource(table = "partMaterialAssignment", view = Permission.PART_VIEW)
public record PartMaterialAssignment(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "part", inverse = "materialAssignments", onDelete = References.OnDelete.CASCADE) @SystemSet
        String partId,

        @SystemSet int index,
        @SystemSet int priority,
        @References("material") @SystemSet @Nullable String materialId,
        @References("materialVariant") @SystemSet @Nullable String variantId,
        @SystemSet @Nullable String materialType,
        @References("materialGroup") @SystemSet @Nullable String groupId) {

    public static PartMaterialAssignment of(
            String id, Part part, int index, int priority, Instant now, Assignment choice) {
        return new PartMaterialAssignment(
                id,
                part.storeId(),
                now,
                now,
                part.id(),
                index,
                priority,
                choice.materialId(),
                choice.variantId(),
                choice.materialType(),
                choice.groupId());
    }
}
