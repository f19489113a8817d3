package farm.gantry.edge.inbox;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue of messages for one reader thread. {@code add} wakes the reader at once. A message added by {@code addLater}
 * is read at the next tick of {@link InboxTimer}, or earlier together with an urgent message, because waking a thread
 * is most of the cost of a printer's message.
 */
public final class Inbox<T> implements AutoCloseable {
    private final Queue<T> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread reader;
    private volatile long deadline;

    private Inbox() {}

    /** Opens an inbox. It must be closed, because {@link InboxTimer} holds it until then. */
    public static <T> Inbox<T> open() {
        Inbox<T> inbox = new Inbox<>();
        InboxTimer.register(inbox);
        return inbox;
    }

    public void add(T message) {
        waiting.add(message);
        LockSupport.unpark(reader);
    }

    public void addLater(T item) {
        waiting.add(item);
    }

    /** Drops all waiting messages that do not match. */
    public void retainOnly(Predicate<T> these) {
        waiting.removeIf(these.negate());
    }

    /** Returns the next message without removing it, null without one. */
    public @Nullable T peek() {
        return waiting.peek();
    }

    /**
     * Returns the next message, null if none arrives within the timeout, which ends at a tick of {@link InboxTimer} if
     * it spans several.
     */
    public @Nullable T poll(Duration timeout) throws InterruptedException {
        deadline = System.nanoTime() + timeout.toNanos();
        reader = Thread.currentThread();
        try {
            T next = waiting.poll();
            while (next == null && System.nanoTime() - deadline < 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                park(timeout);
                next = waiting.poll();
            }
            return next;
        } finally {
            reader = null;
        }
    }

    private void park(Duration timeout) {
        if (timeout.compareTo(InboxTimer.BETWEEN) <= 0) {
            LockSupport.parkNanos(this, deadline - System.nanoTime());
        } else {
            LockSupport.park(this);
        }
    }

    void wakeReader() {
        if (!waiting.isEmpty() || System.nanoTime() - deadline >= 0) {
            LockSupport.unpark(reader);
        }
    }

    @Override
    public void close() {
        InboxTimer.unregister(this);
    }
}
