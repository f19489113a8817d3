package farm.gantry.api.aws;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces requests to a table of DynamoDB while it is unreachable, because none is important enough to fail for. After
 * a failure, one request in {@link #RETRY_DELAY} tests whether the table is reachable again.
 */
final class TableFallback {
    static final Duration RETRY_DELAY = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(TableFallback.class);

    private final String table;
    private final String replacement;
    private final InstantSource clock;
    /** Milliseconds; zero while the table is reachable. */
    private final AtomicLong retryAt = new AtomicLong();

    /** {@code replacement} is what happens meanwhile, for the log. */
    TableFallback(String table, String replacement, InstantSource clock) {
        this.table = table;
        this.replacement = replacement;
        this.clock = clock;
    }

    /** Returns the result of the request, or of the fallback while the table is unreachable. */
    <T> T get(Supplier<T> request, Supplier<T> fallback) {
        long again = retryAt.get();
        long now = clock.millis();
        if (again != 0 && (now < again || !retryAt.compareAndSet(again, now + RETRY_DELAY.toMillis()))) {
            return fallback.get();
        }
        try {
            T result = request.get();
            if (again != 0) {
                retryAt.set(0);
                LOG.info("DynamoDB table {} is reachable again", table);
            }
            return result;
        } catch (RuntimeException e) { // whatever the reason, callers continue without the table
            if (retryAt.getAndSet(now + RETRY_DELAY.toMillis()) == 0) {
                LOG.warn("DynamoDB table {} is unreachable, retrying; meanwhile {}", table, replacement, e);
            }
            return fallback.get();
        }
    }
}
