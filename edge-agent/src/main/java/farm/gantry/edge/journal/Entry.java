package farm.gantry.edge.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import farm.gantry.wire.LinkRequest;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One fact of the journal. */
@Serdeable
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Entry.Taken.class, name = "taken"),
    @JsonSubTypes.Type(value = Entry.Asked.class, name = "asked"),
    @JsonSubTypes.Type(value = Entry.Reached.class, name = "reached"),
    @JsonSubTypes.Type(value = Entry.Cancelling.class, name = "cancelling"),
    @JsonSubTypes.Type(value = Entry.Fence.class, name = "fence"),
    @JsonSubTypes.Type(value = Entry.Event.class, name = "event"),
    @JsonSubTypes.Type(value = Entry.Delivered.class, name = "delivered"),
    @JsonSubTypes.Type(value = Entry.Seen.class, name = "seen"),
    @JsonSubTypes.Type(value = Entry.BedUsed.class, name = "bedUsed"),
})
public sealed interface Entry {

    /** A command was taken, and will not be taken twice. */
    @Serdeable
    record Taken(String commandId, Instant at) implements Entry {}

    /** A print was taken. */
    @Serdeable
    record Asked(Job job) implements Entry {}

    @Serdeable
    record Reached(String jobId, int attempt, Step step) implements Entry {}

    /** A live job is to be cancelled, also by the agent's next life. */
    @Serdeable
    record Cancelling(String jobId, int attempt) implements Entry {}

    /** The latest attempt seen of a job that is no longer kept. */
    @Serdeable
    record Fence(String jobId, int attempt, Instant at) implements Entry {}

    @Serdeable
    record Event(LinkRequest.Event event) implements Entry {}

    /** The API keeps all events up to this one. */
    @Serdeable
    record Delivered(long sequence) implements Entry {}

    /**
     * What was last seen on a printer without a job of ours, and when; the last version wrote neither its counter nor the
     * time.
     */
    @Serdeable
    record Seen(
            String deviceId,
            String fileName,
            boolean busy,
            @Nullable String printCounter,
            @Nullable Instant at) implements Entry {}

    /** The event of this number says that something was printed, or may have been. */
    @Serdeable
    record BedUsed(String deviceId, long sequence) implements Entry {}
}
