package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.time.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tracks when a printer last sent a usable status. The journal keeps it for printers without a print counter. The time
 * that the agent was down is judged as soon as the clock is known to be right.
 */
final class LastSeenTracker {
    /** The interval at which the journal records that such a printer is still observed. */
    private static final Duration JOURNAL_INTERVAL = Duration.ofSeconds(30);

    private final String deviceId;
    private final Journal journal;
    private final InstantSource clock;
    /** The time from the agent's previous run, null without one or once it was judged. */
    private volatile @Nullable Instant before;
    /** Whether {@link #before} was judged. The clock may become known between a judgement and {@link #recordStatus}. */
    private volatile boolean judged;
    /** The first and the last time in this run, null without one. */
    private volatile @Nullable TimePoint first;

    private volatile @Nullable TimePoint last;
    /** Whether the printer was offline since. */
    private volatile boolean unseen = true;

    LastSeenTracker(String deviceId, Journal journal, InstantSource clock) {
        this.deviceId = deviceId;
        this.journal = journal;
        this.clock = clock;
        this.before =
                journal.lastObservation(deviceId).map(JournalEntry.LastObservation::at).orElse(null);
    }

    /** Returns how long the printer was not observed before this status; null if it was observed without a gap. */
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

    /** Records that statuses of the printer were dropped unread. */
    void recordDroppedStatuses() {
        unseen = true;
    }

    /** Records the status that the view shows, received at this time. */
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

    /** Records that the printer of the view is unreachable from now on. */
    void recordDisconnect(PrinterView view) {
        journalIfOutdated(view, Duration.ZERO);
        unseen = true;
    }

    /** Returns the time for the journal; until the gap before this run is judged, no later than that gap. */
    @Nullable
    Instant timeToJournal() {
        return isGapJudged() ? clock.instant() : before;
    }

    private boolean isGapJudged() {
        return ServerClock.isKnown(clock) && (before == null || judged);
    }

    /** Journals the time, unless the journal is at most {@code behind}. */
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
