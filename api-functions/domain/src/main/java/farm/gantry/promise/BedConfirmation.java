package farm.gantry.promise;

import java.time.Duration;
import java.time.Instant;

/** A bed that a person confirmed to be clear: when its print ended, and when the person confirmed it. */
public record BedConfirmation(Instant endedAt, Instant clearedAt) {
    Duration waited() {
        return Duration.between(endedAt, clearedAt);
    }
}
