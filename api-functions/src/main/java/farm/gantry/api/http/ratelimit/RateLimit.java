package farm.gantry.api.http.ratelimit;

import java.time.Duration;

/** Limits the requests of each caller. */
public interface RateLimit {
    /** Counts a request of the caller, if it is allowed. */
    Decision take(String caller);

    /** Returns whether the caller may make a request, without counting one. */
    Decision check(String caller);

    /**
     * The decision about a request.
     *
     * @param limit requests per minute
     * @param remaining requests that the caller may make at once
     * @param reset time until the full burst is available again
     * @param retryAfter time until the next request is allowed; zero if this one is
     */
    record Decision(boolean allowed, int limit, int remaining, Duration reset, Duration retryAfter) {}
}
