package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.StoreId;
import farm.gantry.api.fixture.SharedApi;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeadlockTest {
    private final Database database = SharedApi.bean(Database.class);
    private final StoreId store = SharedApi.newStore().id();
    private final CountDownLatch bothHold = new CountDownLatch(2);
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void bothTransactionsCompleteAfterADeadlock() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> one = threads.submit(() -> take("left", "right"));
            Future<String> other = threads.submit(() -> take("right", "left"));
            assertThat(one.get(5, TimeUnit.MINUTES)).isEqualTo("left");
            assertThat(other.get(5, TimeUnit.MINUTES)).isEqualTo("right");
        }
        assertThat(runs.get()).isEqualTo(3);
    }

    private String take(String first, String second) {
        return database.in(store, tx -> {
            runs.incrementAndGet();
            tx.lockExclusive(AdvisoryLock.ORDER, first);
            bothHold.countDown();
            awaitBoth();
            tx.lockExclusive(AdvisoryLock.ORDER, second);
            return first;
        });
    }

    private void awaitBoth() {
        try {
            assertThat(bothHold.await(5, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void lockTakenOutOfOrderFailsTheTransaction() {
        assertThatThrownBy(() -> database.in(store, tx -> {
                    tx.lockShared(AdvisoryLock.FILES);
                    tx.lockExclusive(AdvisoryLock.FOLDERS);
                    return "";
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessage("FOLDERS is taken after FILES");
    }
}
