package farm.gantry.api.http.ratelimit;

import java.time.Duration;
import java.time.Instant;

/**
 * A token bucket: each request takes a token, and tokens are replenished over time.
 *
 * @param perMinute tokens replenished per minute
 * @param burst maximum number of tokens
 * @param at time at which {@code tokens} was computed
 */
public record TokenBucket(int perMinute, int burst, double tokens, Instant at) {
    public static TokenBucket full(int perMinute, int burst, Instant at) {
        return new TokenBucket(perMinute, burst, burst, at);
    }

    /** Returns the bucket with the tokens replenished until {@code now}. An earlier time adds no tokens. */
    public TokenBucket refilledAt(Instant now) {
        if (now.isBefore(at)) {
            return this;
        }
        double seconds = Duration.between(at, now).toNanos() / 1e9;
        return new TokenBucket(perMinute, burst, Math.min(burst, tokens + seconds * perMinute / 60), now);
    }

    public boolean hasToken() {
        return tokens >= 1;
    }

    public TokenBucket withoutToken() {
        return new TokenBucket(perMinute, burst, tokens - 1, at);
    }

    /** Returns when the bucket is full if no more requests come. */
    public Instant fullAt() {
        return at.plus(timeFor(burst - tokens));
    }

    /** Returns the decision to report to the caller. */
    public RateLimit.Decision decision(boolean allowed) {
        return new RateLimit.Decision(
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
