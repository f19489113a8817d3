package farm.gantry.api.http;

/** Makes limits. Those of the same kind count together what a caller asks, where its requests reach several processes. */
@FunctionalInterface
public interface RateLimits {
    /** So many requests a minute, and {@code burst} at once after a pause. */
    RateLimit of(int perMinute, int burst);
}
