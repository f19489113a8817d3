package farm.gantry.api.http.ratelimit;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A token bucket per caller in the memory of this process; full buckets are removed. */
public final class TokenBuckets implements RateLimit {
    private static final int MAX_ENTRIES = 10_000;

    private final int perMinute;
    private final int burst;
    private final InstantSource clock;
    private final ConcurrentMap<String, TokenBucket> buckets = new ConcurrentHashMap<>();

    public TokenBuckets(int perMinute, int burst, InstantSource clock) {
        this.perMinute = perMinute;
        this.burst = burst;
        this.clock = clock;
    }

    @Override
    public Decision take(String caller) {
        Instant now = clock.instant();
        if (buckets.size() >= MAX_ENTRIES) {
            buckets.values().removeIf(bucket -> bucket.refilledAt(now).tokens() >= burst);
        }
        boolean[] allowed = new boolean[1];
        TokenBucket left = buckets.compute(caller, (_, stored) -> {
            TokenBucket bucket = (stored == null ? TokenBucket.full(perMinute, burst, now) : stored).refilledAt(now);
            allowed[0] = bucket.hasToken();
            return allowed[0] ? bucket.withoutToken() : bucket;
        });
        return left.decision(allowed[0]);
    }

    @Override
    public Decision check(String caller) {
        Instant now = clock.instant();
        TokenBucket stored = buckets.get(caller);
        TokenBucket bucket = (stored == null ? TokenBucket.full(perMinute, burst, now) : stored).refilledAt(now);
        return bucket.decision(bucket.hasToken());
    }
}
