package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.printer.PrinterState.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks how the time in which a printer was not observed is measured. */
class LastSeenTrackerTest {
    private static final PrinterStatus IDLE = ScriptedPrinter.reading(Status.idle, null, "");
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path data;

    @Test
    void machineSleepCountsAsUnobservedTime() throws Exception {
        InstantSource clock = InstantSource.system();
        try (Journal journal = Journal.open(data.resolve("journal"), clock)) {
            LastSeenTracker lastSeen = new LastSeenTracker("k1", journal, clock);
            assertThat(lastSeen.unobservedTimeBefore(IDLE, moment(1, Duration.ZERO)))
                    .isEqualTo(Duration.ZERO);
            lastSeen.recordStatus(
                    PrinterView.notYetReached(JobState.NoJob.UNSEEN).withStatus(IDLE), moment(1, Duration.ZERO));

            assertThat(lastSeen.unobservedTimeBefore(IDLE, moment(2, Duration.ZERO)))
                    .isNull();
            assertThat(lastSeen.unobservedTimeBefore(IDLE, moment(2, HOUR))).isEqualTo(HOUR.plusSeconds(1));
            lastSeen.recordStatus(
                    PrinterView.notYetReached(JobState.NoJob.UNSEEN).withStatus(IDLE), moment(2, HOUR));

            assertThat(lastSeen.unobservedTimeBefore(IDLE, moment(3, HOUR))).isNull();
        }
    }

    @Test
    void gapIsJudgedByTheNextStatusIfTheClockIsSyncedMeanwhile() throws Exception {
        Instant earlier = Instant.EPOCH.minus(HOUR);
        ServerClock clock = new ServerClock(() -> earlier);
        try (Journal journal = Journal.open(data.resolve("journal"), clock)) {
            journal.write(List.of(new JournalEntry.LastObservation("k1", "", false, null, earlier)), List.of());
            LastSeenTracker lastSeen = new LastSeenTracker("k1", journal, clock);
            PrinterView view = PrinterView.notYetReached(JobState.NoJob.UNSEEN).withStatus(IDLE);
            TimePoint first = TimePoint.now(clock);
            assertThat(lastSeen.unobservedTimeBefore(IDLE, first)).isEqualTo(Duration.ZERO);
            clock.adjust(earlier, Instant.EPOCH);
            lastSeen.recordStatus(view, first);
            assertThat(lastSeen.timeToJournal()).isEqualTo(earlier);
            assertThat(lastSeen.unobservedTimeBefore(IDLE, TimePoint.now(clock)))
                    .isGreaterThanOrEqualTo(HOUR);
            lastSeen.recordStatus(view, TimePoint.now(clock));
            assertThat(lastSeen.unobservedTimeBefore(IDLE, TimePoint.now(clock)))
                    .isNull();
        }
    }

    /** Returns a time point whose clock and uptime do not include the sleep. */
    private static TimePoint moment(int seconds, Duration asleep) {
        return new TimePoint(Instant.EPOCH.plusSeconds(seconds), Duration.ofSeconds(seconds), asleep);
    }
}
