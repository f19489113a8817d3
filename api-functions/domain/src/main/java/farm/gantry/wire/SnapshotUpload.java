package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * Agent → API: a requested camera snapshot. {@code image} is a JPEG in base 64, or {@code fault} says why there is
 * none.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SnapshotUpload(
        @NotBlank String deviceId,
        @Min(0) @Max(MAX_WIDTH) int width,
        @Nullable @Size(max = MAX_CHARACTERS) String image,
        @Nullable String fault) {
    /** Pixels; 0 requests the camera's own width. */
    public static final int MAX_WIDTH = 4096;

    /** Maximum length of {@code image}, by the request size limit of a function. */
    public static final int MAX_CHARACTERS = 4_500_000;

    /** Maximum size of a tile's JPEG, so that a hundred fit into one response of a function. */
    public static final int MAX_TILE_BYTES = 40_000;
}
