package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class WorkLoopTest {
    @Test
    void loopContinuesAfterAnyException() throws InterruptedException {
        CountDownLatch tried = new CountDownLatch(3);
        try (WorkLoop loop = WorkLoop.start("clumsy", new Signal(), Duration.ofMillis(1), () -> {
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

    @Test
    void closeWaitsForRunningWork() throws InterruptedException {
        Thread closing = Thread.currentThread();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean isOver = new AtomicBoolean();
        WorkLoop loop = WorkLoop.start("slow", new Signal(), Duration.ofHours(1), () -> {
            begun.countDown();
            Eventually.until("it is interrupted", Thread.currentThread()::isInterrupted);
            Eventually.until("close waits for the end", () -> closing.getState() == Thread.State.TIMED_WAITING);
            isOver.set(true);
        });
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        loop.close();
        assertThat(isOver).isTrue();
    }
}
