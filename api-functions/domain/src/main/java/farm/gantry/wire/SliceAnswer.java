package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.part.SlicingEstimate;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** Worker → API: the G-code that was asked for, or why there is none. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceAnswer(
        String storeId,
        String sliceId,
        @Nullable Sliced sliced,
        @Nullable String error) {

    /** {@code inputHash} is of everything that the G-code depends on; {@code cached} that it was sliced before. */
    @Serdeable
    public record Sliced(
            String gcodeUri, String sha256, long size, String inputHash, boolean cached, SlicingEstimate estimate) {}
}
