package farm.gantry.edge.journal;

import farm.gantry.wire.LinkRequest;
import org.jspecify.annotations.Nullable;

/** A new event for the API, to which the journal assigns a sequence number. */
public record NewEvent(
        String deviceId,
        LinkRequest.Kind kind,
        @Nullable String jobId,
        @Nullable Integer attempt,
        @Nullable String message,
        @Nullable Long elapsedSeconds,
        @Nullable Double usedGrams,
        @Nullable String commandId,
        @Nullable Long heatingSeconds) {

    public NewEvent(
            String deviceId,
            LinkRequest.Kind kind,
            @Nullable String jobId,
            @Nullable Integer attempt,
            @Nullable String message,
            @Nullable Long elapsedSeconds,
            @Nullable Double usedGrams) {
        this(deviceId, kind, jobId, attempt, message, elapsedSeconds, usedGrams, null, null);
    }
}
