package farm.gantry.api.http.ratelimit;

/**
 * Creates rate limits. Limits of the same kind share their counts across processes where requests of a caller reach
 * several.
 */
@FunctionalInterface
public interface RateLimits {
    /** Limits to {@code perMinute} requests, with {@code burst} at once after a pause. */
    RateLimit create(int perMinute, int burst);
}
