package farm.gantry.material;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A spool. Its material is derived from its variant, and its type from its material. {@code reservedGrams} is what active jobs will still
 * use. {@code pricePer1000g} is in cents; null means the variant's or the material's price.
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
