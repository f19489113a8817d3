package farm.gantry.promise;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The promise of a job: {@code promisedAt} is the median estimate of its end, {@code promisedBy} the 90th percentile; both null
 * when no printer can print it now.
 */
public record Promise(
        @Nullable Instant promisedAt, @Nullable Instant promisedBy) {
    public static final Promise NONE = new Promise(null, null);
}
