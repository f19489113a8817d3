package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many requests a caller may make. */
final class TokenBucketsTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final TokenBuckets buckets = new TokenBuckets(60, 3, () -> now);

    @Test
    void aCallerMayMakeSoManyAtOnceAndThenSoManyAMinute() {
        assertThat(IntStream.range(0, 3).mapToObj(_ -> buckets.take("a")))
                .extracting(RateLimit.Decision::allowed, RateLimit.Decision::remaining)
                .containsExactly(tuple(true, 2), tuple(true, 1), tuple(true, 0));
        assertThat(buckets.take("a"))
                .isEqualTo(new RateLimit.Decision(false, 60, 0, Duration.ofSeconds(3), Duration.ofSeconds(1)));
        now = now.plusMillis(999);
        assertThat(buckets.take("a").allowed()).isFalse();
        now = now.plusMillis(1);
        assertThat(buckets.take("a").allowed()).isTrue();
        assertThat(buckets.take("a").allowed()).isFalse();
    }

    @Test
    void aCallerTakesNothingFromAnother() {
        IntStream.range(0, 9).forEach(_ -> buckets.take("a"));
        assertThat(buckets.take("b").remaining()).isEqualTo(2);
    }

    @Test
    void aPauseGivesNoMoreThanTheBucketHolds() {
        buckets.take("a");
        now = now.plus(Duration.ofDays(1));
        assertThat(buckets.take("a").remaining()).isEqualTo(2);
        now = now.minus(Duration.ofDays(1));
        assertThat(buckets.take("a").remaining())
                .as("a clock that was set back")
                .isEqualTo(1);
    }
}
