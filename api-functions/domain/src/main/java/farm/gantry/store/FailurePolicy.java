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
 * What a store does about prints that fail at their printers. A job, with or without an order, is made again up to
 * {@code retriesElsewhere} times, on printers on which it has not failed while another can print it. A part is put on hold once
 * it failed on {@code holdPartAfterPrinters} different printers since a print of it was last completed. What is null or 0 is not
 * done.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record FailurePolicy(
        @Min(0) @Max(20) int retriesElsewhere,
        @Nullable @Valid Quarantine quarantine,
        @Nullable @Min(1) @Max(100) Integer holdPartAfterPrinters,
        @Nullable @Valid Pause pauseQueue) {
    public static final FailurePolicy NONE = new FailurePolicy(0, null, null, null);

    /** A printer takes no more jobs once {@code failures} of its last {@code ofLastJobs} failed, until a person releases it. */
    @Serdeable
    public record Quarantine(
            @Min(1) @Max(100) int failures,
            @Min(1) @Max(100) int ofLastJobs) implements SelfValidating {
        @Override
        public List<Fault> faults() {
            return failures > ofLastJobs
                    ? List.of(new Fault("failures", "range", "cannot be more than ofLastJobs, of which they are"))
                    : List.of();
        }
    }

    /**
     * No job is given to a printer or started once more than {@code failurePercent} of the last hour's prints failed, of at
     * least {@code ofPrints}, until a person resumes the queue.
     */
    @Serdeable
    public record Pause(
            @Min(1) @Max(100) int failurePercent,
            @Min(1) @Max(10_000) int ofPrints) {}
}
