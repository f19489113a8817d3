package farm.gantry.api.webhook;

import farm.gantry.StoreId;
import farm.gantry.api.queue.Signal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers each store's events on a thread of its own, so that a slow receiver delays only its own store. */
final class StoreThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreThreads.class);

    private final String name;
    private final Signal signal;
    private final Map<StoreId, Thread> threads = new ConcurrentHashMap<>();

    /** {@code name} begins the names of the threads; {@code signal} is given when a store may have more to deliver. */
    StoreThreads(String name, Signal signal) {
        this.name = name;
        this.signal = signal;
    }

    /** Delivers what is due in a store; returns the number of attempts. */
    @FunctionalInterface
    interface Delivery {
        int deliver(StoreId store) throws InterruptedException;
    }

    /** Starts delivering the store's events unless its thread is running. */
    void start(StoreId store, Delivery delivery) {
        Thread thread = Thread.ofVirtual().name(name + "-" + store).unstarted(() -> run(store, delivery));
        if (threads.putIfAbsent(store, thread) == null) {
            thread.start();
        }
    }

    private void run(StoreId store, Delivery delivery) {
        boolean mayHaveMore = false;
        try {
            mayHaveMore = delivery.deliver(store) > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
                LOG.warn("delivering {} of store {} failed, retrying", name, store, e);
            }
        } finally {
            threads.remove(store);
            if (mayHaveMore) {
                signal.signal();
            }
        }
    }

    /** Stops all threads; running attempts become due again when their lease ends. */
    @Override
    public void close() {
        threads.values().forEach(Thread::interrupt);
        try {
            for (Thread thread : threads.values()) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
