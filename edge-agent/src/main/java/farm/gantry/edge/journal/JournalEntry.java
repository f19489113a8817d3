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

    /** A command was taken, and will not be taken twice. */
    @Serdeable
    @JsonTypeName("taken")
    record Taken(String commandId, Instant at) implements JournalEntry {}

    /** A print was taken. */
    @Serdeable
    @JsonTypeName("asked")
    record Asked(Job job) implements JournalEntry {}

    @Serdeable
    @JsonTypeName("reached")
    record Reached(String jobId, int attempt, JobStep step) implements JournalEntry {}

    /** A live job is to be cancelled, also by the agent's next life. */
    @Serdeable
    @JsonTypeName("cancelling")
    record Cancelling(String jobId, int attempt) implements JournalEntry {}

    /** Whether a pause of a live job waits until the printer is so far, also for the agent's next life. */
    @Serdeable
    @JsonTypeName("pausing")
    record Pausing(String jobId, int attempt, boolean waits) implements JournalEntry {}

    /**
     * The agent waits since then for a print that no status has shown: {@code endShown}, whether the printer shows an end with its file,
     * or not the file at all. {@code since} is null where it no longer waits.
     */
    @Serdeable
    @JsonTypeName("confirmation")
    record Confirmation(String jobId, int attempt, @Nullable Instant since, boolean endShown) implements JournalEntry {}

    /** The latest attempt seen of a job that is no longer kept. */
    @Serdeable
    @JsonTypeName("fence")
    record Fence(String jobId, int attempt, Instant at) implements JournalEntry {}

    @Serdeable
    @JsonTypeName("event")
    record Event(LinkRequest.Event event) implements JournalEntry {}

    /** The API keeps all events up to this one. */
    @Serdeable
    @JsonTypeName("delivered")
    record Delivered(long sequence) implements JournalEntry {}

    /**
     * What was last seen on a printer without a job of ours, and when; the last version wrote neither its counter nor the
     * time.
     */
    @Serdeable
    @JsonTypeName("seen")
    record Seen(
            String deviceId,
            String fileName,
            boolean busy,
            @Nullable String printCounter,
            @Nullable Instant at) implements JournalEntry {}

    /** The event of this number says that something was printed, or may have been. */
    @Serdeable
    @JsonTypeName("bedUsed")
    record BedUsed(String deviceId, long sequence) implements JournalEntry {}
}
