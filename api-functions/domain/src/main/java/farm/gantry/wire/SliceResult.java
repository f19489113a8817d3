package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.part.SlicingEstimate;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Worker → API: the requested G-code, or why there is none. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceResult(
        String storeId,
        String sliceId,
        @Nullable Sliced sliced,
        @Nullable String error) {

    /**
     * {@code inputHash} covers everything the G-code depends on; {@code cached}: it was sliced before. {@code warnings}
     * are wishes of the job that could not be met completely; null if all were.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Sliced(
            String gcodeUri,
            String sha256,
            long size,
            String inputHash,
            boolean cached,
            SlicingEstimate estimate,
            @Nullable List<String> warnings) {}
}
