package farm.gantry.material;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A material in one colour, or in several colours on one spool. Its own price and profiles take precedence over the material's. */
@Serdeable
@Resource(table = "materialVariant", view = Permission.MATERIAL_VIEW)
public record MaterialVariant(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,

        @References(value = "material", inverse = "variants") @Pattern(regexp = Id.PATTERN)
        String materialId,

        @Nullable @Pattern(regexp = COLORS, message = "must be a color such as #ff8000, or several separated by ;")
        String color,

        @Default("[]") List<@NotBlank String> tags,
        @Nullable Long filamentSystemProfileId,

        @References(value = "profile", type = "filament") @Nullable @Pattern(regexp = Id.PATTERN)
        String filamentUserProfileId,

        @Nullable @PositiveOrZero Integer pricePer1000g) {
    private static final String ONE = "#?[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?";
    private static final String COLORS = ONE + "(?:;" + ONE + ")*";

    public MaterialVariant {
        color = color == null
                ? null
                : Arrays.stream(color.split(";", -1))
                        .map(MaterialVariant::withAlpha)
                        .collect(Collectors.joining(";"));
    }

    /** The colours as {@code #RRGGBBAA}; a colour without alpha is opaque. */
    private static String withAlpha(String color) {
        String digits = color.replace("#", "").toUpperCase(Locale.ROOT);
        return "#" + digits + (digits.length() == 6 ? "FF" : "");
    }
}
