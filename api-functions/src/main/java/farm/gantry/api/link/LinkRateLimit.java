package farm.gantry.api.link;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.ratelimit.RateLimit;
import farm.gantry.api.http.ratelimit.TokenBuckets;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Limits the exchanges of each agent, far above normal use, so that a faulty agent cannot exhaust the process. */
@Singleton
final class LinkRateLimit {
    /** Prefix of caller names, so that none equals an API key. */
    private static final String LINK = "link ";

    private final RateLimit exchanges;

    LinkRateLimit(
            @Value("${gantry.agents.rate-limit-per-minute:3000}") int perMinute,
            @Value("${gantry.agents.rate-limit-burst:600}") int burst) {
        this.exchanges = new TokenBuckets(perMinute, burst, InstantSource.system());
    }

    /** Counts an exchange of the agent; throws if it made too many. */
    void check(String agentId) {
        RateLimit.Decision decision = exchanges.take(LINK + agentId);
        if (!decision.allowed()) {
            throw new ProblemException(new Problem.RateLimited(decision.retryAfter()));
        }
    }
}
