package farm.gantry.api.http.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import farm.gantry.Id;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that every implementation of rate limits must pass. */
public interface RateLimitContract {
    /** A clock that a test sets. It is far in the future, because DynamoDB deletes expired items. */
    final class Time implements InstantSource {
        private final AtomicLong millis =
                new AtomicLong(Instant.parse("2100-01-01T00:00:00Z").toEpochMilli());

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis.get());
        }

        public void pass(Duration time) {
            millis.addAndGet(time.toMillis());
        }
    }

    RateLimits limits(InstantSource clock);

    @Test
    default void callerHasABurstAndARatePerMinute() {
        Time time = new Time();
        RateLimit limit = limits(time).create(60, 3);
        String caller = Id.next();
        assertThat(IntStream.range(0, 3).mapToObj(_ -> limit.take(caller)))
                .extracting(RateLimit.Decision::allowed, RateLimit.Decision::remaining)
                .containsExactly(tuple(true, 2), tuple(true, 1), tuple(true, 0));
        assertThat(limit.take(caller))
                .isEqualTo(new RateLimit.Decision(false, 60, 0, Duration.ofSeconds(3), Duration.ofSeconds(1)));
        time.pass(Duration.ofMillis(999));
        assertThat(limit.take(caller).allowed()).isFalse();
        time.pass(Duration.ofMillis(1));
        assertThat(limit.take(caller).allowed()).isTrue();
        assertThat(limit.take(caller).allowed()).isFalse();
    }

    @Test
    default void peekingConsumesNoToken() {
        RateLimit limit = limits(new Time()).create(60, 1);
        String caller = Id.next();
        assertThat(IntStream.range(0, 3).mapToObj(_ -> limit.check(caller)))
                .allMatch(decision -> decision.allowed() && decision.remaining() == 1);
        assertThat(limit.take(caller).allowed()).isTrue();
        assertThat(limit.check(caller))
                .isEqualTo(new RateLimit.Decision(false, 60, 0, Duration.ofSeconds(1), Duration.ofSeconds(1)));
    }

    @Test
    default void callersHaveSeparateBuckets() {
        RateLimit limit = limits(new Time()).create(60, 3);
        String caller = Id.next();
        IntStream.range(0, 9).forEach(_ -> limit.take(caller));
        assertThat(limit.take(Id.next()).remaining()).isEqualTo(2);
    }

    @Test
    default void bucketDoesNotExceedItsCapacityAfterAPause() {
        Time time = new Time();
        RateLimit limit = limits(time).create(60, 3);
        String caller = Id.next();
        limit.take(caller);
        time.pass(Duration.ofDays(1));
        assertThat(limit.take(caller).remaining()).isEqualTo(2);
        time.pass(Duration.ofDays(-1));
        assertThat(limit.take(caller).remaining())
                .as("a clock that was set back")
                .isEqualTo(1);
        time.pass(Duration.ofDays(1));
        assertThat(limit.take(caller).remaining()).as("and forward again").isZero();
    }

    @Test
    default void concurrentRequestsDoNotExceedTheCapacity() throws InterruptedException, ExecutionException {
        RateLimit limit = limits(new Time()).create(60, 10);
        String caller = Id.next();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Long>> allowed = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                allowed.add(threads.submit(() -> IntStream.range(0, 4)
                        .filter(_ -> limit.take(caller).allowed())
                        .count()));
            }
            long all = 0;
            for (Future<Long> each : allowed) {
                all += each.get();
            }
            assertThat(all).isEqualTo(10);
        }
    }
}
