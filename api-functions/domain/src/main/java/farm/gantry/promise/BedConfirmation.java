package farm.gantry.promise;

import java.time.Duration;
import java.time.Instant;

/** The confirmation of a clear bed: when its print ended, and when a person confirmed it. */
public record BedConfirmation(Instant endedAt, Instant clearedAt) {
    Duration waited() {
        return Duration.between(endedAt, clearedAt);
    }
}
