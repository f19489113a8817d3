package farm.gantry.material;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Id;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Filament to print with: a variant, a material in any colour, any material of a type, or any variant of a group. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Assignment(
        @Nullable @Pattern(regexp = Id.PATTERN) String materialId,
        @Nullable @Pattern(regexp = Id.PATTERN) String variantId,
        @Nullable @NotBlank String materialType,
        @Nullable @Pattern(regexp = Id.PATTERN) String groupId) {

    /** Whether it says one of them, and not several. */
    public boolean hasExactlyOneChoice() {
        return Stream.of(materialId, variantId, materialType, groupId)
                        .filter(Objects::nonNull)
                        .count()
                == 1;
    }
}
