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
 * When a printer last sent a usable status, which the journal keeps of printers without a counter of prints. How long the
 * agent was away is judged as soon as the clock is known to be right.
 */
final class LastSeen {
    /** How often the journal records that such a printer is still observed. */
    private static final Duration STILL_SEEN = Duration.ofSeconds(30);

    private final String deviceId;
    private final Journal journal;
    private final InstantSource clock;
    /** In the agent's life before, null where there was none or where it was judged. */
    private volatile @Nullable Instant before;
    /** Whether {@link #before} was judged. The clock may become known between a judgement and {@link #saw}. */
    private volatile boolean judged;
    /** The first and the last time in this life, null where there was none. */
    private volatile @Nullable Moment first;

    private volatile @Nullable Moment last;
    /** Whether it was offline since. */
    private volatile boolean unseen = true;

    LastSeen(String deviceId, Journal journal, InstantSource clock) {
        this.deviceId = deviceId;
        this.journal = journal;
        this.clock = clock;
        this.before = journal.seenOn(deviceId).map(JournalEntry.Seen::at).orElse(null);
    }

    /** How long the printer was not observed before the status of this time; null where it was observed all the time. */
    @Nullable
    Duration unseenBefore(Reading reading, Moment now) {
        if (!reading.isClear()) {
            return null;
        }
        Moment seen = last;
        Duration gap = seen == null ? Duration.ZERO : unseen || now.isAfterSleep(seen) ? now.since(seen) : null;
        Instant earlier = before;
        if (earlier == null || !ServerClock.isKnown(clock)) {
            return gap;
        }
        judged = true;
        Moment begin = first == null ? now : first;
        Duration away = Duration.between(earlier, begin.time(clock)).abs();
        return gap == null || away.compareTo(gap) > 0 ? away : gap;
    }

    /** Statuses of the printer were dropped unread. */
    void missed() {
        unseen = true;
    }

    /** Takes in the status that the view shows, and that was received at this time. */
    void saw(PrinterView view, Moment now) {
        Reading reading = view.reading();
        if (reading != null && reading.isClear()) {
            unseen = false;
            last = now;
            first = first == null ? now : first;
            if (judged) {
                before = null;
            }
            save(view, STILL_SEEN);
        }
    }

    /** The printer that the view shows is out of reach from now on. */
    void lost(PrinterView view) {
        save(view, Duration.ZERO);
        unseen = true;
    }

    /** For the journal; until the time before this life is judged, no later than that. */
    @Nullable
    Instant time() {
        return isJudged() ? clock.instant() : before;
    }

    private boolean isJudged() {
        return ServerClock.isKnown(clock) && (before == null || judged);
    }

    /** Journals it, unless the journal is at most {@code behind}. */
    private void save(PrinterView view, Duration behind) {
        Moment seen = last;
        JournalEntry.Seen written = journal.seenOn(deviceId).orElse(null);
        if (seen == null || written == null || !(view.jobState() instanceof NoJob) || !isJudged()) {
            return;
        }
        Reading reading = view.reading();
        boolean counts = reading != null && reading.printCounter() != null;
        Instant at = seen.time(clock);
        if (!counts
                && (written.at() == null || Duration.between(written.at(), at).compareTo(behind) > 0)) {
            JournalEntry.Seen now = new JournalEntry.Seen(
                    written.deviceId(), written.fileName(), written.busy(), written.printCounter(), at);
            journal.write(List.of(now), List.of());
        }
    }
}
