package farm.gantry.edge.journal;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import farm.gantry.wire.LinkRequest;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One fact of the journal. */
@Serdeable
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
public sealed interface JournalEntry {

    /** A command was accepted and will not be accepted twice. */
    @Serdeable
    @JsonTypeName("taken")
    record CommandAccepted(String commandId, Instant at) implements JournalEntry {}

    /** A print was accepted. */
    @Serdeable
    @JsonTypeName("asked")
    record PrintAccepted(Job job) implements JournalEntry {}

    @Serdeable
    @JsonTypeName("reached")
    record JobStepReached(String jobId, int attempt, JobStep step) implements JournalEntry {}

    /** A live job is to be cancelled, also after a restart of the agent. */
    @Serdeable
    @JsonTypeName("cancelling")
    record Cancelling(String jobId, int attempt) implements JournalEntry {}

    /** Whether a pause of a live job is pending until the printer can pause, also after a restart of the agent. */
    @Serdeable
    @JsonTypeName("pausing")
    record Pausing(String jobId, int attempt, boolean waits) implements JournalEntry {}

    /**
     * The agent waits since then for a print that no status has shown. {@code endShown}: the printer shows an end with
     * its file; otherwise it does not show the file. {@code since} is null if the agent no longer waits.
     */
    @Serdeable
    @JsonTypeName("confirmation")
    record Confirmation(String jobId, int attempt, @Nullable Instant since, boolean endShown) implements JournalEntry {}

    /** The latest known attempt of a job that the journal no longer has. */
    @Serdeable
    @JsonTypeName("fence")
    record Fence(String jobId, int attempt, Instant at) implements JournalEntry {}

    @Serdeable
    @JsonTypeName("event")
    record Event(LinkRequest.Event event) implements JournalEntry {}

    /** The API has all events up to this one. */
    @Serdeable
    @JsonTypeName("delivered")
    record Delivered(long sequence) implements JournalEntry {}

    /**
     * What a printer without a job of the farm showed last, and when; the previous version wrote neither the counter
     * nor the time.
     */
    @Serdeable
    @JsonTypeName("seen")
    record LastObservation(
            String deviceId,
            String fileName,
            boolean busy,
            @Nullable String printCounter,
            @Nullable Instant at) implements JournalEntry {}

    /** The event with this number says that something was printed, or may have been. */
    @Serdeable
    @JsonTypeName("bedUsed")
    record BedUsed(String deviceId, long sequence) implements JournalEntry {}
}
