package farm.gantry.api.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A token bucket a caller, in the memory of this process; one that is full again is forgotten. */
public final class TokenBuckets implements RateLimit {
    private static final int MOST_KEPT = 10_000;

    private final int perMinute;
    private final int burst;
    private final InstantSource clock;
    private final ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    private record Bucket(double tokens, Instant at) {}

    public TokenBuckets(int perMinute, int burst, InstantSource clock) {
        this.perMinute = perMinute;
        this.burst = burst;
        this.clock = clock;
    }

    @Override
    public Decision take(String caller) {
        Instant now = clock.instant();
        if (buckets.size() >= MOST_KEPT) {
            buckets.values().removeIf(bucket -> tokens(bucket, now) >= burst);
        }
        boolean[] allowed = new boolean[1];
        Bucket left = buckets.compute(caller, (_, kept) -> {
            double tokens = kept == null ? burst : tokens(kept, now);
            allowed[0] = tokens >= 1;
            return new Bucket(allowed[0] ? tokens - 1 : tokens, now);
        });
        return decision(allowed[0], left.tokens());
    }

    /** Whether the caller may make a request, which is not counted. */
    public Decision check(String caller) {
        Bucket kept = buckets.get(caller);
        double tokens = kept == null ? burst : tokens(kept, clock.instant());
        return decision(tokens >= 1, tokens);
    }

    private double tokens(Bucket bucket, Instant now) {
        double seconds = Math.max(0, Duration.between(bucket.at(), now).toNanos()) / 1e9;
        return Math.min(burst, bucket.tokens() + seconds * perMinute / 60);
    }

    private Decision decision(boolean allowed, double tokens) {
        return new Decision(
                allowed,
                perMinute,
                (int) tokens,
                timeFor(burst - tokens),
                allowed ? Duration.ZERO : timeFor(1 - tokens));
    }

    private Duration timeFor(double tokens) {
        return Duration.ofMillis((long) Math.ceil(tokens * 60_000 / perMinute));
    }
}
