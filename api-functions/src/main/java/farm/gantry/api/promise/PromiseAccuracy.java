package farm.gantry.api.promise;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that were printed on the printers of one provider, held against the first promise of each. {@code keptAt} is the share
 * that ended by {@code promisedAt}, about 0.5 where the promises are right, and {@code keptBy} the share that ended by
 * {@code promisedBy}, about 0.9. {@code provider} is null for printers that were deleted.
 */
@Serdeable
record PromiseAccuracy(@Nullable String provider, int jobs, double keptAt, double keptBy) {}
