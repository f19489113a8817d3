package farm.gantry.api.http;

import java.time.Duration;
import java.time.Instant;

/**
 * What a caller may ask for: tokens, one a request, which come back with time.
 *
 * @param perMinute how many come back in a minute
 * @param burst how many there are at most
 * @param at when they were counted
 */
public record TokenBucket(int perMinute, int burst, double tokens, Instant at) {
    public static TokenBucket full(int perMinute, int burst, Instant at) {
        return new TokenBucket(perMinute, burst, burst, at);
    }

    /** As it is at a time; a clock that is behind the one that counted gives nothing. */
    public TokenBucket at(Instant now) {
        if (now.isBefore(at)) {
            return this;
        }
        double seconds = Duration.between(at, now).toNanos() / 1e9;
        return new TokenBucket(perMinute, burst, Math.min(burst, tokens + seconds * perMinute / 60), now);
    }

    public boolean allows() {
        return tokens >= 1;
    }

    public TokenBucket less() {
        return new TokenBucket(perMinute, burst, tokens - 1, at);
    }

    /** When it is full again if nobody asks. */
    public Instant full() {
        return at.plus(timeFor(burst - tokens));
    }

    /** What a caller is told of it. */
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
