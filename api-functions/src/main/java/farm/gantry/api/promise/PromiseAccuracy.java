package farm.gantry.api.promise;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * The accuracy of estimates for the jobs of one provider's printers, by the first estimate of each. {@code keptAt} is the share that ended
 * by {@code promisedAt}, ideally 0.5; {@code keptBy} is the share that ended by {@code promisedBy}, ideally 0.9. {@code provider} is null
 * for printers that were deleted.
 */
@Serdeable
record PromiseAccuracy(@Nullable String provider, int jobs, double keptAt, double keptBy) {}
