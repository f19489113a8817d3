package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * Agent → API: what a printer's camera shows, of the width that was wanted. {@code image} is a JPEG in base 64, or
 * {@code fault} says why there is none.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SnapshotUpload(
        @NotBlank String deviceId,
        @Min(0) @Max(MAX_WIDTH) int width,
        @Nullable @Size(max = MAX_CHARACTERS) String image,
        @Nullable String fault) {
    /** Pixels: wider ones are asked for by 0, as they are. */
    public static final int MAX_WIDTH = 4096;

    /** Of {@code image}: what a function can be sent. */
    public static final int MAX_CHARACTERS = 4_500_000;

    /** Of the JPEG of a tile: a hundred of them fit into one answer of a function. */
    public static final int MAX_TILE_BYTES = 40_000;
}
