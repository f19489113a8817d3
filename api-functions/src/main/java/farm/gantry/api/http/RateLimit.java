package farm.gantry.api.http;

import java.time.Duration;

/** How many requests each of many callers may make. */
public interface RateLimit {
    /** Counts a request of the caller, if it is allowed. */
    Decision take(String caller);

    /** Whether the caller may make a request, which is not counted. */
    Decision check(String caller);

    /**
     * Whether a request is allowed, and what is left.
     *
     * @param limit requests a minute
     * @param remaining requests that the caller may make at once
     * @param reset how long until it may make as many at once as ever
     * @param retryAfter how long until it may make another; zero where this one is allowed
     */
    record Decision(boolean allowed, int limit, int remaining, Duration reset, Duration retryAfter) {}
}
