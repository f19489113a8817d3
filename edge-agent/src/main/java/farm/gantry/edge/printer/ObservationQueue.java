package farm.gantry.edge.printer;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of observations of a printer that are not handled yet, because the journal may not be writable for a
 * while. A status replaces the previous one if nothing important has changed. When the queue is full, the oldest
 * observation is dropped, and the next status counts as the first one after a gap. The end of a job of the farm is
 * never dropped.
 */
final class ObservationQueue {
    static final int MAX_COUNT = 200;

    private final Predicate<PrinterStatus> isEndOfJob;
    private final Deque<Observation> waiting = new ArrayDeque<>();
    /** The oldest observation, if the last attempt to handle it failed. */
    private volatile @Nullable Observation unhandled;

    ObservationQueue(Predicate<PrinterStatus> isEndOfJob) {
        this.isEndOfJob = isEndOfJob;
    }

    sealed interface Observation {
        /**
         * A received status. {@code afterGap} is as in {@link Provider.Listener#onStatus}; {@code afterDropped} is
         * whether observations before it were dropped.
         */
        record StatusObserved(PrinterStatus status, TimePoint receivedAt, boolean afterGap, boolean afterDropped)
                implements Observation {}

        record DisconnectObserved(String reason) implements Observation {}
    }

    /** Adds a status; returns whether the number of waiting observations grew. */
    synchronized boolean addStatus(PrinterStatus reading, TimePoint at, boolean afterGap) {
        if (!afterGap
                && waiting.peekLast()
                        instanceof Observation.StatusObserved(PrinterStatus last, var _, boolean gap, boolean dropped)
                && !reading.isSignificantChangeFrom(last)) {
            waiting.removeLast();
            waiting.add(new Observation.StatusObserved(reading, at, gap, dropped));
            return false;
        }
        return add(new Observation.StatusObserved(reading, at, afterGap, false));
    }

    /** Adds a disconnect; returns whether the number of waiting observations grew. */
    synchronized boolean addDisconnect(String reason) {
        if (waiting.peekLast() instanceof Observation.DisconnectObserved) {
            waiting.removeLast();
            waiting.add(new Observation.DisconnectObserved(reason));
            return false;
        }
        return add(new Observation.DisconnectObserved(reason));
    }

    /** Passes the oldest observation to the handler. If the handler throws, the next call passes it again. */
    void handleOldest(Consumer<Observation> handler) {
        Observation again = unhandled;
        Observation oldest = again == null ? takeOldest() : again;
        unhandled = null;
        try {
            if (oldest != null) {
                handler.accept(oldest);
            }
        } catch (UncheckedIOException e) {
            unhandled = oldest;
            throw e;
        }
    }

    /** Removes and returns the oldest observation, null without one. */
    synchronized @Nullable Observation takeOldest() {
        return waiting.poll();
    }

    synchronized boolean hasObservations() {
        return unhandled != null || !waiting.isEmpty();
    }

    private boolean add(Observation observation) {
        boolean isFull = waiting.size() >= MAX_COUNT;
        waiting.add(observation);
        if (isFull) {
            dropOldest();
        }
        return !isFull;
    }

    private void dropOldest() {
        List<Observation> remaining = new ArrayList<>(waiting);
        int dropped = 0;
        while (isFirstEnd(remaining, dropped)) {
            dropped++;
        }
        remaining.remove(dropped);
        for (int i = dropped; i < remaining.size(); i++) {
            if (remaining.get(i)
                    instanceof Observation.StatusObserved(PrinterStatus reading, TimePoint at, var _, var _)) {
                remaining.set(i, new Observation.StatusObserved(reading, at, true, true));
                break;
            }
        }
        waiting.clear();
        waiting.addAll(remaining);
    }

    /** Returns whether this observation is the first one to show the end of the job. */
    private boolean isFirstEnd(List<Observation> all, int index) {
        return isEndOfJob(all.get(index)) && all.subList(0, index).stream().noneMatch(this::isEndOfJob);
    }

    private boolean isEndOfJob(Observation observation) {
        return observation instanceof Observation.StatusObserved(PrinterStatus reading, var _, var _, var _)
                && isEndOfJob.test(reading);
    }
}
