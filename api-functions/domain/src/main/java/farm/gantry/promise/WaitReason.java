package farm.gantry.promise;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step on a job's way to its end, for people and for programs. {@code printerIds} are those that it is about,
 * {@code until} is when it is over in the middle of all cases, {@code jobsAhead} how many jobs have their turn before.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WaitReason(
        Code code,
        String text,
        @Nullable List<String> printerIds,
        @Nullable Instant until,
        @Nullable Integer jobsAhead) {

    /** The reason why a job waits. */
    @Serdeable
    public enum Code {
        /** The printer prints it. */
        printing,
        /** The printer prints something else. */
        printerBusy,
        /** Other jobs have their turn before it. */
        queue,
        /** A person, or a macro, must clear the bed. */
        bed,
        /** A person must change the filament. */
        filament,
        /** Its throttle group starts no more printers at once. */
        throttled,
        /** It prints then. */
        prints,
        /** No printer that is in service can print it. */
        blocked,
        /** The queue is paused. */
        paused
    }
}
