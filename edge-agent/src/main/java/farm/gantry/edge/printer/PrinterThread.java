package farm.gantry.edge.printer;

import farm.gantry.edge.inbox.Inbox;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of one printer. Runs its tasks one after another, and a periodic tick while there are none. */
final class PrinterThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterThread.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final String printer;
    private final Supplier<Duration> tickInterval;
    private final Runnable tick;
    private final Runnable unwritten;
    private final Inbox<Runnable> inbox = Inbox.open();
    private final Thread thread;

    /**
     * Creates the thread. {@code printer} is its name in the log; {@code unwritten} runs each time the journal could
     * not be written.
     */
    PrinterThread(String printer, String deviceId, Supplier<Duration> tickInterval, Runnable tick, Runnable unwritten) {
        this.printer = printer;
        this.tickInterval = tickInterval;
        this.tick = tick;
        this.unwritten = unwritten;
        this.thread = Thread.ofVirtual().name("printer-" + deviceId).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void add(Runnable task) {
        inbox.add(task);
    }

    /** Adds a task that may wait until the next wake-up by {@link farm.gantry.edge.inbox.InboxTimer}. */
    void addLater(Runnable task) {
        inbox.addLater(task);
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Runnable next = inbox.poll(tickInterval.get());
                runUntilWritten(next == null ? tick : next);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.error("{}: an event failed, continuing with the next one: {}", printer, e.getMessage(), e);
            }
        }
    }

    /** Runs a task, and repeats it while the journal cannot be written, for example because the disk is full. */
    private void runUntilWritten(Runnable task) throws InterruptedException {
        while (true) {
            try {
                task.run();
                return;
            } catch (UncheckedIOException e) {
                LOG.error("{}: cannot write the journal, retrying: {}", printer, e.getMessage());
                unwritten.run();
                Thread.sleep(RETRY_DELAY);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        inbox.close();
        try {
            if (thread.getState() != Thread.State.NEW && !thread.join(CLOSE_TIMEOUT)) {
                LOG.warn("{}: its thread has not ended within {} s", printer, CLOSE_TIMEOUT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
