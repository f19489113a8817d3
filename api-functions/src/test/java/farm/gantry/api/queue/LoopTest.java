package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LoopTest {
    @Test
    void aLoopGoesOnAfterWhateverItsWorkThrows() throws InterruptedException {
        CountDownLatch tried = new CountDownLatch(3);
        try (Loop loop = Loop.start("clumsy", new Signal(), Duration.ofMillis(1), () -> {
            tried.countDown();
            if (tried.getCount() == 2) {
                throw new AssertionError("cannot be");
            }
            throw new IllegalStateException("passing");
        })) {
            assertThat(loop).isNotNull();
            assertThat(tried.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
