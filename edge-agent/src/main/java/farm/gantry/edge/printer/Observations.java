package farm.gantry.edge.printer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a printer and is not handled yet, in order. It does not grow without bound while the journal cannot be
 * written: a status replaces the one before where nothing of weight has changed, and of too many the oldest are dropped. The
 * status after those counts as the first one after a gap. The end of a job of the farm is never dropped.
 */
final class Observations {
    static final int MAX_COUNT = 200;

    private final Predicate<Reading> isEndOfJob;
    private final Deque<Observation> waiting = new ArrayDeque<>();

    Observations(Predicate<Reading> isEndOfJob) {
        this.isEndOfJob = isEndOfJob;
    }

    sealed interface Observation {
        /** {@code at} is when it was received. {@code afterDropped}: there were others before, which are not known any more. */
        record Seen(Reading reading, Moment at, boolean afterGap, boolean afterDropped) implements Observation {}

        record Lost(String reason) implements Observation {}
    }

    /** Whether there is one more to be taken. */
    synchronized boolean saw(Reading reading, Moment at, boolean afterGap) {
        if (!afterGap
                && waiting.peekLast() instanceof Observation.Seen(Reading last, var _, boolean gap, boolean dropped)
                && !reading.isNewsAfter(last)) {
            waiting.removeLast();
            waiting.add(new Observation.Seen(reading, at, gap, dropped));
            return false;
        }
        return add(new Observation.Seen(reading, at, afterGap, false));
    }

    /** Whether there is one more to be taken. */
    synchronized boolean lost(String reason) {
        if (waiting.peekLast() instanceof Observation.Lost) {
            waiting.removeLast();
            waiting.add(new Observation.Lost(reason));
            return false;
        }
        return add(new Observation.Lost(reason));
    }

    /** The oldest, null where there is none. */
    synchronized @Nullable Observation take() {
        return waiting.poll();
    }

    synchronized boolean isWaiting() {
        return !waiting.isEmpty();
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
        List<Observation> kept = new ArrayList<>(waiting);
        int dropped = 0;
        while (isFirstEnd(kept, dropped)) {
            dropped++;
        }
        kept.remove(dropped);
        for (int i = dropped; i < kept.size(); i++) {
            if (kept.get(i) instanceof Observation.Seen(Reading reading, Moment at, var _, var _)) {
                kept.set(i, new Observation.Seen(reading, at, true, true));
                break;
            }
        }
        waiting.clear();
        waiting.addAll(kept);
    }

    /** Whether the job's end is told here, and not before. */
    private boolean isFirstEnd(List<Observation> all, int index) {
        return isEndOfJob(all.get(index)) && all.subList(0, index).stream().noneMatch(this::isEndOfJob);
    }

    private boolean isEndOfJob(Observation observation) {
        return observation instanceof Observation.Seen(Reading reading, var _, var _, var _)
                && isEndOfJob.test(reading);
    }
}
