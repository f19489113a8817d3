package farm.gantry.job;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A job that took another status; a new one has no previous status. */
@Serdeable
public record JobStatusChanged(
        String printJobId,
        @Nullable String previousStatus,
        String status,
        @Nullable String assignedPrinterId,
        int attempt,
        Instant at) {}
