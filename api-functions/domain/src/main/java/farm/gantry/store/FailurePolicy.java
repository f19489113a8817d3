package farm.gantry.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.SelfValidating;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store's automatic reactions to prints that fail at their printers. A job is printed again up to {@code retriesElsewhere} times, on
 * printers on which it has not failed if another can print it. A part is put on hold once it failed on {@code holdPartAfterPrinters}
 * different printers since it was last completed. A value of null or 0 disables the reaction.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record FailurePolicy(
        @Min(0) @Max(20) int retriesElsewhere,
        @Nullable @Valid Quarantine quarantine,
        @Nullable @Min(1) @Max(100) Integer holdPartAfterPrinters,
        @Nullable @Valid Pause pauseQueue) {
    public static final FailurePolicy NONE = new FailurePolicy(0, null, null, null);

    /**
     * Quarantines a printer once {@code failures} of its last {@code ofLastJobs} jobs failed; it gets no jobs until a person releases it.
     */
    @Serdeable
    public record Quarantine(
            @Min(1) @Max(100) int failures,
            @Min(1) @Max(100) int ofLastJobs) implements SelfValidating {
        @Override
        public List<Fault> faults() {
            return failures > ofLastJobs
                    ? List.of(new Fault("failures", "range", "must not be greater than ofLastJobs"))
                    : List.of();
        }
    }

    /**
     * Pauses the queue if more than {@code failurePercent} of the last hour's prints failed, given at least {@code ofPrints}: no job is
     * assigned or started until a person resumes it.
     */
    @Serdeable
    public record Pause(
            @Min(1) @Max(100) int failurePercent,
            @Min(1) @Max(10_000) int ofPrints) {}
}
