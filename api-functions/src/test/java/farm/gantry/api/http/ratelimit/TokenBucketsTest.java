package farm.gantry.api.http.ratelimit;

import java.time.InstantSource;

/** Tests rate limits that are counted in the memory of this process. */
final class TokenBucketsTest implements RateLimitContract {
    @Override
    public RateLimits limits(InstantSource clock) {
        return (perMinute, burst) -> new TokenBuckets(perMinute, burst, clock);
    }
}
