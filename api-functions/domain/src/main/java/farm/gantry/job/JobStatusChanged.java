package farm.gantry.job;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event: a job changed its status. {@code previousStatus} is null for a new job. */
@Serdeable
public record JobStatusChanged(
        String printJobId,
        @Nullable String previousStatus,
        String status,
        @Nullable String assignedPrinterId,
        int attempt,
        Instant at) {}
