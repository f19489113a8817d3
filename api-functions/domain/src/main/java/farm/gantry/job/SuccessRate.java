package farm.gantry.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the prints of one printer, part, material or profile. Each attempt of a job counts once; a print without a good piece
 * counts as failed. A null {@code id} stands for prints whose subject is unknown. {@code successRate} is completed / (completed + failed),
 * null without either. {@code good} and {@code rejected} are the judged pieces.
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
