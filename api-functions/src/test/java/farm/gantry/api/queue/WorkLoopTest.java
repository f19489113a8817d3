package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class WorkLoopTest {
    private static final Duration RARELY = Duration.ofHours(1);

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
    void sharedLoopWorksWhereTheLeaseIsAndWhereItIsSignalled() throws InterruptedException {
        Map<String, Object> shared = Map.of(Database.SHARED, true);
        BlockingQueue<String> worked = new LinkedBlockingQueue<>();
        Signal wanted = new Signal();
        try (ApplicationContext first = SharedApi.another(shared);
                ApplicationContext second = SharedApi.another(shared)) {
            WorkLease lease = first.getBean(WorkLease.class);
            WorkLease other = second.getBean(WorkLease.class);
            try (WorkLoop _ = WorkLoop.start("first", new Signal(), RARELY, lease, () -> worked.add("first"));
                    WorkLoop _ = WorkLoop.start("second", wanted, RARELY, other, () -> worked.add("second"))) {
                WorkLoop renewal = lease.start().getFirst();
                assertThat(worked.poll(60, TimeUnit.SECONDS))
                        .as("has the lease")
                        .isEqualTo("first");
                wanted.signal();
                assertThat(worked.poll(60, TimeUnit.SECONDS))
                        .as("was signalled")
                        .isEqualTo("second");
                try (WorkLoop _ = other.start().getFirst()) {
                    assertThat(worked.poll(3, TimeUnit.SECONDS)).as("nobody").isNull();
                    assertThat(other.isHeld()).isFalse();
                    renewal.close();
                    lease.release();
                    assertThat(worked.poll(60, TimeUnit.SECONDS))
                            .as("took over")
                            .isEqualTo("second");
                }
            }
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
