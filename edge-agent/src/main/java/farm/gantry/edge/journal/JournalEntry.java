package farm.gantry.edge.journal;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import farm.gantry.wire.LinkRequest;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry of the journal. */
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

    /** An active job must be cancelled, also after a restart of the agent. */
    @Serdeable
    @JsonTypeName("cancelling")
    record Cancelling(String jobId, int attempt) implements JournalEntry {}

    /** A pause of an active job became pending until the printer can pause, or is no longer pending. */
    @Serdeable
    @JsonTypeName("pausing")
    record Pausing(String jobId, int attempt, boolean waits) implements JournalEntry {}

    /**
     * The agent has been waiting since {@code since} for a print that no status has shown; null if it no longer waits.
     * {@code endShown} is whether the printer shows its file with an end; otherwise it does not show the file.
     */
    @Serdeable
    @JsonTypeName("confirmation")
    record Confirmation(String jobId, int attempt, @Nullable Instant since, boolean endShown) implements JournalEntry {}

    /** The latest known attempt of a job that the journal no longer has, so that no older attempt is accepted. */
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
     * The last file, activity and print counter that a printer without a job of the farm showed, and when. Older
     * journals have neither the counter nor the time.
     */
    @Serdeable
    @JsonTypeName("seen")
    record LastObservation(
            String deviceId,
            String fileName,
            boolean busy,
            @Nullable String printCounter,
            @Nullable Instant at) implements JournalEntry {}

    /** The event with this number reports that the bed was used, or may have been. */
    @Serdeable
    @JsonTypeName("bedUsed")
    record BedUsed(String deviceId, long sequence) implements JournalEntry {}
}
