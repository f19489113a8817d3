package farm.gantry.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * How well prints of one printer, part, material or profile ended, each attempt of a job counted; without an {@code id} they are
 * those of which it is not known. A print of which no piece is good counts as failed. {@code successRate} is completed /
 * (completed + failed), null without either; {@code good} and {@code rejected} are the pieces that somebody judged.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record SuccessRate(
        @Nullable String id,
        @Nullable String name,
        int completed,
        int failed,
        int cancelled,
        @Nullable Double successRate,
        long good,
        long rejected) {
    public static @Nullable Double of(int completed, int failed) {
        return completed + failed == 0 ? null : (double) completed / (completed + failed);
    }
}
