package farm.gantry.api.http;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task submitted from the blocking pool to the same pool on the current thread, so that a route runs on the
 * thread that checked its key.
 */
@Singleton
final class SameThreadExecutors implements BeanCreatedEventListener<ExecutorService> {
    @Override
    public ExecutorService onCreated(BeanCreatedEvent<ExecutorService> event) {
        boolean isBlocking =
                TaskExecutors.BLOCKING.equals(event.getBeanIdentifier().getName());
        return isBlocking ? new SameThreadExecutor(event.getBean()) : event.getBean();
    }

    private static final class SameThreadExecutor extends AbstractExecutorService {
        private final ExecutorService pool;
        private final ThreadLocal<Boolean> isPoolThread = ThreadLocal.withInitial(() -> false);

        SameThreadExecutor(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        public void execute(Runnable task) {
            if (isPoolThread.get()) {
                task.run();
            } else {
                pool.execute(() -> {
                    isPoolThread.set(true);
                    task.run();
                });
            }
        }

        @Override
        public void shutdown() {
            pool.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return pool.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return pool.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return pool.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return pool.awaitTermination(timeout, unit);
        }
    }
}
