package farm.gantry.material;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A filament product of a brand, regardless of colour; {@code pricePer1000g} is in cents. */
@Serdeable
@Resource(table = "material", view = Permission.MATERIAL_VIEW)
@Example("""
        {"name": "PLA Basic", "brand": "Polymaker", "type": "PLA", "tags": [], "pricePer1000g": 1990}""")
public record Material(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank @Size(max = 500) String name,
        @Size(max = 500) String brand,
        @NotBlank @Size(max = 500) String type,
        List<@NotBlank @Size(max = 500) String> tags,
        @Nullable Long filamentSystemProfileId,

        @References(value = "profile", type = "filament") @Nullable @Pattern(regexp = Id.PATTERN)
        String filamentUserProfileId,

        @Nullable String identifier,
        @Nullable String externalId,
        @Nullable String source,
        @Nullable @PositiveOrZero Integer pricePer1000g,
        @Default("false") boolean starred,
        @Default("{}") Map<String, Object> customMetadata) {}
