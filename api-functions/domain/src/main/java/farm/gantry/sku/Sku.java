package farm.gantry.sku;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A product: a title, and the parts to print for one unit; {@code totalCogs} is their cost in cents. */
@Serdeable
@Resource(table = "sku", view = Permission.SKU_VIEW, embeds = "linkedParts")
public record Sku(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank @Size(max = 500) String sku,
        @NotBlank String title,
        @Default("\"\"") String description,
        @Nullable String externalId,
        @Nullable Provider externalProvider,

        @References(value = "folder", type = "sku", inverse = "skus") @Nullable @Pattern(regexp = Id.PATTERN)
        String folderId,

        @SystemSet @Default("0") long totalCogs,
        @Default("{}") Map<String, Object> customMetadata) {

    /** The marketplace in which {@code externalId} is its id. */
    @Serdeable
    public enum Provider {
        market1,
        market2
    }
}
