package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.part.SlicingEstimate;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Worker → API: the G-code that was asked for, or why there is none. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceAnswer(
        String storeId,
        String sliceId,
        @Nullable Sliced sliced,
        @Nullable String error) {

    /**
     * {@code inputHash} is of everything that the G-code depends on; {@code cached} that it was sliced before. {@code
     * warnings} say what of the job's wishes could not be met whole, and are null where all could.
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
