package farm.gantry.promise;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job will be done: at even odds before {@code promisedAt}, in nine of ten cases before {@code promisedBy}; both null
 * where no printer can print it as things are.
 */
public record Promise(
        @Nullable Instant promisedAt, @Nullable Instant promisedBy) {
    public static final Promise NONE = new Promise(null, null);
}
