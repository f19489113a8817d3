package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.time.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tracks when a printer last sent a usable status, and stores it in the journal for printers without a print counter.
 * Once the clock is known to be right, it computes how long the printer was not observed while the agent was down.
 */
final class LastSeenTracker {
    /** The interval at which the time of the last status is journaled. */
    private static final Duration JOURNAL_INTERVAL = Duration.ofSeconds(30);

    private final String deviceId;
    private final Journal journal;
    private final InstantSource clock;
    /**
     * The journaled time from the agent's previous run; null if there is none, or once the gap since then was
     * evaluated.
     */
    private volatile @Nullable Instant before;
    /**
     * Whether the gap since {@link #before} was evaluated. The clock may become known between that evaluation and
     * {@link #recordStatus}.
     */
    private volatile boolean judged;
    /** The times of the first and the last status in this run; null before the first status. */
    private volatile @Nullable TimePoint first;

    private volatile @Nullable TimePoint last;
    /** Whether the printer was offline since the last status. */
    private volatile boolean unseen = true;

    LastSeenTracker(String deviceId, Journal journal, InstantSource clock) {
        this.deviceId = deviceId;
        this.journal = journal;
        this.clock = clock;
        this.before = journal.lastObservation(deviceId)
                .map(JournalEntry.LastObservation::at)
                .orElse(null);
    }

    /** Returns how long the printer was not observed before this status; null if there was no gap. */
    @Nullable
    Duration unobservedTimeBefore(PrinterStatus reading, TimePoint now) {
        if (!reading.isActivityKnown()) {
            return null;
        }
        TimePoint seen = last;
        Duration gap = seen == null ? Duration.ZERO : unseen || now.isAfterSleep(seen) ? now.elapsedSince(seen) : null;
        Instant earlier = before;
        if (earlier == null || !ServerClock.isKnown(clock)) {
            return gap;
        }
        judged = true;
        TimePoint begin = first == null ? now : first;
        Duration away = Duration.between(earlier, begin.time(clock)).abs();
        return gap == null || away.compareTo(gap) > 0 ? away : gap;
    }

    /** Records that statuses of the printer were dropped without being handled. */
    void recordDroppedStatuses() {
        unseen = true;
    }

    /** Records that the status in the view was received at this time. */
    void recordStatus(PrinterView view, TimePoint now) {
        PrinterStatus reading = view.status();
        if (reading != null && reading.isActivityKnown()) {
            unseen = false;
            last = now;
            first = first == null ? now : first;
            if (judged) {
                before = null;
            }
            journalIfOutdated(view, JOURNAL_INTERVAL);
        }
    }

    /** Records that the printer became unreachable. */
    void recordDisconnect(PrinterView view) {
        journalIfOutdated(view, Duration.ZERO);
        unseen = true;
    }

    /** Returns the time to journal. Until the gap before this run is evaluated, this is the time before that gap. */
    @Nullable
    Instant timeToJournal() {
        return isGapJudged() ? clock.instant() : before;
    }

    private boolean isGapJudged() {
        return ServerClock.isKnown(clock) && (before == null || judged);
    }

    /** Journals the time of the last status if the journaled time is older than it by more than {@code behind}. */
    private void journalIfOutdated(PrinterView view, Duration behind) {
        TimePoint seen = last;
        JournalEntry.LastObservation written = journal.lastObservation(deviceId).orElse(null);
        if (seen == null || written == null || !(view.jobState() instanceof NoJob) || !isGapJudged()) {
            return;
        }
        PrinterStatus reading = view.status();
        boolean counts = reading != null && reading.printCounter() != null;
        Instant at = seen.time(clock);
        if (!counts
                && (written.at() == null || Duration.between(written.at(), at).compareTo(behind) > 0)) {
            JournalEntry.LastObservation now = new JournalEntry.LastObservation(
                    written.deviceId(), written.fileName(), written.busy(), written.printCounter(), at);
            journal.write(List.of(now), List.of());
        }
    }
}
