package farm.gantry.api.http.ratelimit;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Rate limits kept in the memory of this process. */
@Singleton
@Requires(missingProperty = "gantry.aws.table-prefix")
final class InMemoryRateLimits implements RateLimits {
    @Override
    public RateLimit create(int perMinute, int burst) {
        return new TokenBuckets(perMinute, burst, InstantSource.system());
    }
}
