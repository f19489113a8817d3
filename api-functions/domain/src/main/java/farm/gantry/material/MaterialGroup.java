package farm.gantry.material;

import farm.gantry.Permission;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A group of interchangeable variants: a job that requests the group may be printed with any of them. */
@Serdeable
@Resource(table = "materialGroup", view = Permission.MATERIAL_VIEW)
public record MaterialGroup(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @Nullable String description) {}
