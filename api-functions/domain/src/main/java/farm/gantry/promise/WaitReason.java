package farm.gantry.promise;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reason why a job is not finished yet, as text and as data. {@code printerIds} are the printers that it is about, {@code until} is the
 * median estimate of when it ends, {@code jobsAhead} the number of jobs that are printed before.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WaitReason(
        Code code,
        String text,
        @Nullable List<String> printerIds,
        @Nullable Instant until,
        @Nullable Integer jobsAhead) {

    /** The code of the reason. */
    @Serdeable
    public enum Code {
        /** The printer is printing the job. */
        printing,
        /** The printer is printing another job. */
        printerBusy,
        /** Other jobs are printed before it. */
        queue,
        /** A person, or a macro, must clear the bed. */
        bed,
        /** A person must change the filament. */
        filament,
        /** Its throttle group allows no more concurrent starts. */
        throttled,
        /** The job's own print. */
        prints,
        /** No printer that is in service can print it. */
        blocked,
        /** The queue is paused. */
        paused
    }
}
