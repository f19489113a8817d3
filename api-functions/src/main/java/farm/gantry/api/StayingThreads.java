package farm.gantry.api;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets a request stay on the thread its key was checked on: what a thread of the blocking pool hands to the pool, it
 * does itself. The route after the filter would wait for another thread otherwise.
 */
@Singleton
final class StayingThreads implements BeanCreatedEventListener<ExecutorService> {
    @Override
    public ExecutorService onCreated(BeanCreatedEvent<ExecutorService> event) {
        boolean isBlocking =
                TaskExecutors.BLOCKING.equals(event.getBeanIdentifier().getName());
        return isBlocking ? new Staying(event.getBean()) : event.getBean();
    }

    private static final class Staying extends AbstractExecutorService {
        private final ExecutorService pool;
        private final ThreadLocal<Boolean> isHere = ThreadLocal.withInitial(() -> false);

        Staying(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        public void execute(Runnable task) {
            if (isHere.get()) {
                task.run();
            } else {
                pool.execute(() -> {
                    isHere.set(true);
                    try {
                        task.run();
                    } finally {
                        isHere.remove();
                    }
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
