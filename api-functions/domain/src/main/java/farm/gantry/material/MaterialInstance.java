package farm.gantry.material;

import farm.gantry.Computed;
import farm.gantry.Default;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A spool. Its variant says of which material it is, and its material of which type. {@code reservedGrams} are those that
 * jobs under way will still take from it; {@code pricePer1000g} is in cents, and before that of the variant and the material.
 */
@Serdeable
@Resource(table = "materialInstance", view = Permission.MATERIAL_INSTANCE_VIEW)
public record MaterialInstance(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @Nullable String name,

        @References("materialVariant") @Nullable @Pattern(regexp = Id.PATTERN)
        String variantId,

        @References("material") @Nullable @Pattern(regexp = Id.PATTERN)
        String materialId,

        @Nullable String materialType,
        @Nullable @PositiveOrZero Double initialGrams,
        @Nullable @PositiveOrZero Double remainingGrams,
        @Computed @SystemSet @Default("0") double reservedGrams,
        @Nullable @PositiveOrZero Integer pricePer1000g,
        @Nullable String identifier,
        @Default("{}") Map<String, Object> customMetadata) {

    public MaterialInstance withParent(MaterialVariant variant) {
        return RecordBuilder.copyOf(this)
                .with(MaterialInstance::variantId, variant.id())
                .with(MaterialInstance::materialId, variant.materialId())
                .build();
    }

    public MaterialInstance withParent(Material material) {
        return RecordBuilder.copyOf(this)
                .with(MaterialInstance::materialId, material.id())
                .with(MaterialInstance::materialType, material.type())
                .build();
    }
}
