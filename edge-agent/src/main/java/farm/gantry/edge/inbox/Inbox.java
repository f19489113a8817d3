package farm.gantry.edge.inbox;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What waits, in order, for one thread. News wake that thread; what can wait a while for company is taken at the next
 * {@link InboxTimer}, when it is everybody's turn, or with the news before it. Waking is most of what a message of a printer costs.
 */
public final class Inbox<T> implements AutoCloseable {
    private final Queue<T> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread reader;
    private volatile long deadline;

    private Inbox() {}

    /** To be closed, or it is looked after for ever. */
    public static <T> Inbox<T> open() {
        Inbox<T> inbox = new Inbox<>();
        InboxTimer.begin(inbox);
        return inbox;
    }

    public void add(T news) {
        waiting.add(news);
        LockSupport.unpark(reader);
    }

    public void addLater(T item) {
        waiting.add(item);
    }

    /** Drops all that has come but this. */
    public void keep(Predicate<T> these) {
        waiting.removeIf(these.negate());
    }

    /** What comes next, if it has come, and stays. */
    public @Nullable T peek() {
        return waiting.peek();
    }

    /** What comes next, or null when nothing has come for so long; a wait of many beats ends with one. */
    public @Nullable T poll(Duration patience) throws InterruptedException {
        deadline = System.nanoTime() + patience.toNanos();
        reader = Thread.currentThread();
        try {
            T next = waiting.poll();
            while (next == null && System.nanoTime() - deadline < 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                park(patience);
                next = waiting.poll();
            }
            return next;
        } finally {
            reader = null;
        }
    }

    private void park(Duration patience) {
        if (patience.compareTo(InboxTimer.BETWEEN) <= 0) {
            LockSupport.parkNanos(this, deadline - System.nanoTime());
        } else {
            LockSupport.park(this);
        }
    }

    void beat() {
        if (!waiting.isEmpty() || System.nanoTime() - deadline >= 0) {
            LockSupport.unpark(reader);
        }
    }

    @Override
    public void close() {
        InboxTimer.end(this);
    }
}
