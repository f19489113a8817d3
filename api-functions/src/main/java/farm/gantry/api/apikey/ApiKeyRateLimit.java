package farm.gantry.api.apikey;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.ratelimit.RateLimit;
import farm.gantry.api.http.ratelimit.RateLimits;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests of each API key, and reports the remaining ones in every response, including rejections by the
 * key check.
 */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 2) // plain-words: ok
final class ApiKeyRateLimit {
    private static final String ATTRIBUTE = "gantry.rateLimit";

    /** Share of a minute's requests that a key with its own limit may make at once. */
    private static final int BURST_DIVISOR = 5;

    private final RateLimits limits;
    private final Optional<RateLimit> limit;
    private final Map<Integer, RateLimit> limitsOfKeys = new ConcurrentHashMap<>();

    /** @param perMinute requests per minute and key; 0 disables the limit */
    ApiKeyRateLimit(
            RateLimits limits,
            @Value("${gantry.rate-limit.per-minute}") int perMinute,
            @Value("${gantry.rate-limit.burst}") int burst) {
        this.limits = limits;
        this.limit = perMinute == 0 ? Optional.empty() : Optional.of(limits.create(perMinute, burst));
    }

    private RateLimit limitOfKey(int perMinute) {
        return limits.create(perMinute, Math.max(1, perMinute / BURST_DIVISOR));
    }

    /** Counts the request once; throws if the key made too many. {@code perMinute} is the key's own limit. */
    void check(HttpRequest<?> request, String keyId, @Nullable Integer perMinute) {
        Optional<RateLimit> its =
                perMinute == null ? limit : Optional.of(limitsOfKeys.computeIfAbsent(perMinute, this::limitOfKey));
        RateLimit.Decision decision = request.getAttribute(ATTRIBUTE, RateLimit.Decision.class)
                .or(() -> its.map(each -> each.take(keyId)))
                .orElse(null);
        if (decision != null) {
            request.setAttribute(ATTRIBUTE, decision);
            if (!decision.allowed()) {
                throw new ProblemException(new Problem.RateLimited(wholeSeconds(decision.retryAfter())));
            }
        }
    }

    private static Duration wholeSeconds(Duration time) {
        return Duration.ofSeconds(time.plusMillis(999).toSeconds());
    }

    @ResponseFilter
    void addHeaders(HttpRequest<?> request, MutableHttpResponse<?> response) {
        request.getAttribute(ATTRIBUTE, RateLimit.Decision.class)
                .ifPresent(decision -> response.header("RateLimit-Limit", Integer.toString(decision.limit()))
                        .header("RateLimit-Remaining", Integer.toString(decision.remaining()))
                        .header(
                                "RateLimit-Reset",
                                Long.toString(wholeSeconds(decision.reset()).toSeconds())));
    }
}
