package farm.gantry.edge.http;

import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.retry.Backoff;
import farm.gantry.edge.retry.Opening;
import farm.gantry.edge.time.Awake;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** A printer that only answers: it is asked how it does for ever, and whoever wants something of it waits his turn. */
public final class Polling implements AutoCloseable {
    private static final int MISSES = 2;
    private static final Duration KEPT_FROM_RUNNING = Duration.ofSeconds(1);

    private final Look look;
    private final Duration interval;
    private final Listener listener;
    private final Awake awake;
    private final LongSupplier nanos;
    private final Backoff backoff = Backoff.ofPrinter();
    private final ReentrantLock turn = new ReentrantLock();
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private volatile boolean inSight;
    private volatile int misses;

    public Polling(Look look, Duration interval, Listener listener) {
        this(look, interval, listener, Awake.CLOCK, System::nanoTime);
    }

    Polling(Look look, Duration interval, Listener listener, Awake awake, LongSupplier nanos) {
        this.look = look;
        this.interval = interval;
        this.listener = listener;
        this.awake = awake;
        this.nanos = nanos;
    }

    /** Asks, tells what was {@link #saw}, and says how long to wait before the next look. */
    public interface Look {
        Duration look() throws IOException, Refusal, InterruptedException;
    }

    /** What is asked in one go, with nothing of others in between. */
    public interface Talk {
        void run() throws IOException, Refusal, InterruptedException;
    }

    /** A talk that has an answer. */
    public interface Question<T> {
        T ask() throws IOException, Refusal, InterruptedException;
    }

    public void begin() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(look());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How long to wait before the next look. */
    public Duration look() throws InterruptedException {
        turn.lockInterruptibly();
        long begun = nanos.getAsLong();
        Duration before = awake.now();
        try {
            return inSight ? look.look() : firstLook();
        } catch (IOException | Refusal | RuntimeException e) {
            if (inSight
                    && e instanceof IOException
                    && wasKeptFromRunning(begun, awake.now().minus(before))) {
                return interval;
            }
            int missed = misses + 1;
            misses = missed;
            if (inSight && missed < MISSES && !(e instanceof Refusal)) {
                return interval;
            }
            inSight = false;
            listener.lost(words(e));
            return backoff.next();
        } finally {
            turn.unlock();
        }
    }

    /** A look that this machine had no time for says nothing of the printer. */
    private boolean wasKeptFromRunning(long begun, Duration wasAwake) {
        return nanos.getAsLong() - begun - wasAwake.toNanos() > KEPT_FROM_RUNNING.toNanos();
    }

    private Duration firstLook() throws IOException, Refusal, InterruptedException {
        try (Opening _ = Opening.begin()) {
            return look.look();
        }
    }

    public void saw(Reading reading) {
        boolean afterGap = !inSight;
        misses = 0;
        inSight = true;
        backoff.reset();
        listener.saw(reading, afterGap);
    }

    public boolean isInSight() {
        return inSight;
    }

    public void inTurn(Talk talk) throws IOException, Refusal, InterruptedException {
        answered(() -> {
            talk.run();
            return true;
        });
    }

    public <T> T answered(Question<T> question) throws IOException, Refusal, InterruptedException {
        turn.lockInterruptibly();
        try {
            return question.ask();
        } finally {
            turn.unlock();
        }
    }

    public static String words(Exception e) {
        return Objects.requireNonNullElse(e.getMessage(), e.toString());
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
