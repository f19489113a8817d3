package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.JobState.NoJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a printer last sent a usable status, which the journal keeps of printers without a counter of prints. */
final class LastSeen {
    /** How often the journal records that such a printer is still observed. */
    private static final Duration STILL_SEEN = Duration.ofSeconds(30);

    private final String deviceId;
    private final Journal journal;
    private volatile @Nullable Instant at;
    /** Whether it was offline since. */
    private volatile boolean unseen = true;

    LastSeen(String deviceId, Journal journal) {
        this.deviceId = deviceId;
        this.journal = journal;
        this.at = journal.seenOn(deviceId).map(JournalEntry.Seen::at).orElse(null);
    }

    /** How long the printer was not observed before the status of this time; null where it was observed all the time. */
    @Nullable
    Duration unseenBefore(Reading reading, Instant now) {
        Instant last = at;
        if (!unseen || !reading.isClear()) {
            return null;
        }
        return last == null ? Duration.ZERO : Duration.between(last, now).abs();
    }

    /** Statuses of the printer were dropped unread. */
    void missed() {
        unseen = true;
    }

    /** Takes in the status that the view shows, and that was received at this time. */
    void saw(PrinterView view, Instant now) {
        Reading reading = view.reading();
        if (reading != null && reading.isClear()) {
            unseen = false;
            at = now;
            save(view, STILL_SEEN);
        }
    }

    /** The printer that the view shows is out of reach from now on. */
    void lost(PrinterView view) {
        save(view, Duration.ZERO);
        unseen = true;
    }

    /** Journals it, unless the journal is at most {@code behind}. */
    private void save(PrinterView view, Duration behind) {
        Instant last = at;
        JournalEntry.Seen written = journal.seenOn(deviceId).orElse(null);
        if (last == null || written == null || !(view.jobState() instanceof NoJob)) {
            return;
        }
        Reading reading = view.reading();
        boolean counts = reading != null && reading.printCounter() != null;
        if (!counts
                && (written.at() == null || Duration.between(written.at(), last).compareTo(behind) > 0)) {
            JournalEntry.Seen now = new JournalEntry.Seen(
                    written.deviceId(), written.fileName(), written.busy(), written.printCounter(), last);
            journal.write(List.of(now), List.of());
        }
    }
}
