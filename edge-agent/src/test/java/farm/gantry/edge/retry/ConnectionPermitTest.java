package farm.gantry.edge.retry;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConnectionPermitTest {
    private static final int MAX_COUNT = 3;

    private final Semaphore permits = new Semaphore(MAX_COUNT, true);

    @Test
    void concurrentConnectionAttemptsAreLimited() throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger maxOpen = new AtomicInteger();
        CountDownLatch full = new CountDownLatch(MAX_COUNT);
        List<Thread> lines = new ArrayList<>();
        for (int i = 0; i < 20 * MAX_COUNT; i++) {
            lines.add(Thread.ofVirtual().start(() -> {
                try (ConnectionPermit _ = ConnectionPermit.acquire(permits, Duration.ofHours(1))) {
                    maxOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
                    full.countDown();
                    full.await();
                    open.decrementAndGet();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        for (Thread line : lines) {
            line.join();
        }
        assertThat(maxOpen.get()).isEqualTo(MAX_COUNT);
    }

    @Test
    void hangingConnectionAttemptsDoNotBlockOthers() throws Exception {
        List<ConnectionPermit> hanging = new ArrayList<>();
        for (int i = 0; i < MAX_COUNT; i++) {
            hanging.add(ConnectionPermit.acquire(permits, Duration.ofMillis(200)));
        }
        AtomicInteger opened = new AtomicInteger();
        Thread other = Thread.ofVirtual().start(() -> {
            try (ConnectionPermit _ = ConnectionPermit.acquire(permits, Duration.ofMillis(200))) {
                opened.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Eventually.until("another line is opened", () -> opened.get() == 1);
        other.join();
        hanging.forEach(ConnectionPermit::close);
    }
}
