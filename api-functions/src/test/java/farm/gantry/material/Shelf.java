package farm.gantry.material;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A shelf for spools: the record of a resource that exists only in tests. */
@Serdeable
@Resource(table = "shelf", view = Permission.MATERIAL_VIEW)
public record Shelf(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @Nullable String description,
        @Default("1") @Min(1) int places) {}
