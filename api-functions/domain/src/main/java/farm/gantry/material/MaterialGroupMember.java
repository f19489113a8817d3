package farm.gantry.material;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;

/** The membership of a variant in a group. */
@Serdeable
@Resource(table = "materialGroupMember", view = Permission.MATERIAL_VIEW)
public record MaterialGroupMember(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "materialGroup", inverse = "members", onDelete = References.OnDelete.CASCADE)
        @Pattern(regexp = Id.PATTERN)
        String groupId,

        @References("materialVariant") @Pattern(regexp = Id.PATTERN)
        String variantId) {}
