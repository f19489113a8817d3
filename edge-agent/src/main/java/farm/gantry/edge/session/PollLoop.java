package farm.gantry.edge.session;

import farm.gantry.edge.log.ConnectionErrorText;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.retry.Backoff;
import farm.gantry.edge.retry.ConnectionPermit;
import farm.gantry.edge.time.AwakeClock;
import farm.gantry.edge.time.MachineSleep;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Polls a printer that sends nothing by itself for its status, until it is closed. */
public final class PollLoop implements AutoCloseable {
    /** A single missed poll is ignored, because Wi-Fi loses packets. */
    private static final int MAX_MISSED_POLLS = 2;

    private static final Duration STALLED = Duration.ofSeconds(1);

    private final Poll poll;
    private final Duration interval;
    private final PrinterSession session;
    private final AwakeClock awake;
    private final LongSupplier nanos;
    private final Supplier<Duration> asleep;
    private final Backoff backoff = Backoff.ofPrinter();
    private final Semaphore hints = new Semaphore(0);
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private volatile int missed;
    private volatile Duration sleptBefore;

    /** Creates a loop; {@code interval} is the time from a missed poll to the next one. */
    public PollLoop(Poll poll, Duration interval, Listener listener) {
        this(poll, interval, listener, AwakeClock.CLOCK, System::nanoTime, MachineSleep::total);
    }

    /** Creates a loop with other clocks; {@code asleep} supplies how long the machine has slept until now. */
    PollLoop(
            Poll poll,
            Duration interval,
            Listener listener,
            AwakeClock awake,
            LongSupplier nanos,
            Supplier<Duration> asleep) {
        this.poll = poll;
        this.interval = interval;
        this.session = new PrinterSession(this::currentStatus, listener);
        this.awake = awake;
        this.nanos = nanos;
        this.asleep = asleep;
        this.sleptBefore = asleep.get();
    }

    /** One request for the status and its response. */
    public interface Poll {
        /** Requests the status, passes it to {@link #onStatus}, and returns the time until the next poll. */
        Duration run() throws IOException, Refusal, InterruptedException;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Duration delay = poll();
                if (hints.tryAcquire(delay.toNanos(), TimeUnit.NANOSECONDS)) {
                    hints.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the next poll happen at once, because the printer's status has probably changed. Does not wait for it. */
    public void pollSoon() {
        hints.release();
    }

    /** Requests the status now, and returns the time until the next poll. */
    public Duration poll() throws InterruptedException {
        session.lock();
        restartAfterSleep();
        long startedAt = nanos.getAsLong();
        Duration awakeAtStart = awake.now();
        try {
            return session.isOnline() ? poll.run() : firstPoll();
        } catch (IOException | Refusal | RuntimeException e) {
            boolean failed = e instanceof Refusal || !session.isOnline();
            if (!failed
                    && e instanceof IOException
                    && wasStalled(startedAt, awake.now().minus(awakeAtStart))) {
                return interval;
            }
            int missedNow = missed + 1;
            missed = missedNow;
            if (!failed && missedNow < MAX_MISSED_POLLS) {
                return interval;
            }
            String reason = ConnectionErrorText.of(e);
            if (e instanceof Refusal) {
                session.onNotReady(reason);
            } else {
                session.onOffline(reason);
            }
            return backoff.nextDelay();
        } finally {
            session.unlock();
        }
    }

    /**
     * Marks the next status as the first one after a gap if this machine has slept, because the printer was not
     * observed meanwhile.
     */
    private void restartAfterSleep() {
        Duration slept = asleep.get();
        if (MachineSleep.isBetween(sleptBefore, slept)) {
            session.onRestart();
        }
        sleptBefore = slept;
    }

    /**
     * Returns whether the agent could not run during the poll, because this machine was busy or slept, so that a missed
     * poll does not mean that the printer is offline.
     */
    private boolean wasStalled(long startedAt, Duration wasAwake) {
        return nanos.getAsLong() - startedAt - wasAwake.toNanos() > STALLED.toNanos();
    }

    private Duration firstPoll() throws IOException, Refusal, InterruptedException {
        try (ConnectionPermit _ = ConnectionPermit.acquire()) {
            return poll.run();
        }
    }

    private PrinterStatus currentStatus(PrinterSession own) throws Refusal, InterruptedException {
        try {
            pollWhileAwake();
            return own.requireStatus();
        } catch (IOException e) {
            throw new Refusal("the printer is offline: " + Objects.requireNonNullElse(e.getMessage(), e.toString()));
        }
    }

    /** Polls, and retries once if the agent could not run during the poll. */
    private void pollWhileAwake() throws IOException, Refusal, InterruptedException {
        long startedAt = nanos.getAsLong();
        Duration awakeAtStart = awake.now();
        try {
            poll.run();
        } catch (IOException e) {
            if (!wasStalled(startedAt, awake.now().minus(awakeAtStart))) {
                throw e;
            }
            poll.run();
        }
    }

    public void onStatus(PrinterStatus status) {
        missed = 0;
        backoff.reset();
        session.onStatus(status);
    }

    public PrinterSession session() {
        return session;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
