package farm.gantry.api.apikey;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.RateLimit;
import farm.gantry.api.http.RateLimits;
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

/** Limits the requests of each API key, and tells it in every answer, a refusal by the key check too, how many it has left. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class KeyRateLimit {
    private static final String ATTRIBUTE = "gantry.rateLimit";

    /** Which share of a minute's requests a key with a limit of its own may make at once, as by default. */
    private static final int SHARE_AT_ONCE = 5;

    private final RateLimits limits;
    private final Optional<RateLimit> limit;
    private final Map<Integer, RateLimit> limitsOfKeys = new ConcurrentHashMap<>();

    /** @param perMinute requests of a key; 0 limits none */
    KeyRateLimit(
            RateLimits limits,
            @Value("${gantry.rate-limit.per-minute}") int perMinute,
            @Value("${gantry.rate-limit.burst}") int burst) {
        this.limits = limits;
        this.limit = perMinute == 0 ? Optional.empty() : Optional.of(limits.of(perMinute, burst));
    }

    private RateLimit ofKey(int perMinute) {
        return limits.of(perMinute, Math.max(1, perMinute / SHARE_AT_ONCE));
    }

    /** Counts the request, once, and refuses it where the key has made too many; {@code perMinute} is the key's own limit. */
    void check(HttpRequest<?> request, String keyId, @Nullable Integer perMinute) {
        Optional<RateLimit> its =
                perMinute == null ? limit : Optional.of(limitsOfKeys.computeIfAbsent(perMinute, this::ofKey));
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
    void tell(HttpRequest<?> request, MutableHttpResponse<?> response) {
        request.getAttribute(ATTRIBUTE, RateLimit.Decision.class)
                .ifPresent(decision -> response.header("RateLimit-Limit", Integer.toString(decision.limit()))
                        .header("RateLimit-Remaining", Integer.toString(decision.remaining()))
                        .header(
                                "RateLimit-Reset",
                                Long.toString(wholeSeconds(decision.reset()).toSeconds())));
    }
}
