package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.journal.JournalEntry.Confirmation;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.edge.printer.state.JobState.Absence;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.StartedState.Accepted;
import farm.gantry.edge.printer.state.UnconfirmedState;
import farm.gantry.edge.printer.state.UnconfirmedState.BeginUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.EndUnconfirmed;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfirmationWaitTest {
    private static final Job JOB = Job.of(
            new Command("c1", "k1", Instant.parse("2100-01-01T00:00:00Z"), PrintFile.wish(Map.of(), null)),
            PrintFile.wish(Map.of(), null));
    private static final PrinterStatus END = ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, JOB.fileName());
    private static final PrinterStatus IDLE = ScriptedPrinter.reading(Status.idle, null, "");
    private static final PrinterStatus PRINTING = ScriptedPrinter.reading(Status.printing, null, JOB.fileName());
    private static final Duration MAX = Duration.ofSeconds(25);
    private static final Duration GRACE = Duration.ofSeconds(40);
    private static final Duration NOW = Duration.ofSeconds(1_000);
    private static final BeginUnconfirmed ACCEPTED =
            new BeginUnconfirmed(JOB, PauseReport.UNKNOWN, PendingRequest.NONE, null);

    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(later.get());

    @TempDir
    Path data;

    @Test
    void confirmationWaitContinuesAfterARestart() throws Exception {
        try (Journal journal = journal()) {
            begin(journal, end(NOW));
        }
        later.set(Duration.ofSeconds(20));
        try (Journal journal = journal()) {
            UnconfirmedState continued = (UnconfirmedState) wait(journal, clock).restoreWait(end(NOW), END, NOW);
            assertThat(continued.waitingSince()).isBetween(NOW.minusSeconds(25), NOW.minusSeconds(20));
            assertThat(wait(journal, clock).restoreWait(absent(NOW), IDLE, NOW))
                    .as("another wait")
                    .isEqualTo(absent(NOW));
        }
    }

    @Test
    void confirmationWaitLeavesTimeForTheHistoryAfterALongDowntime() throws Exception {
        try (Journal journal = journal()) {
            begin(journal, absent(NOW));
            later.set(Duration.ofHours(1));
            UnconfirmedState continued = (UnconfirmedState) wait(journal, clock).restoreWait(absent(NOW), IDLE, NOW);
            assertThat(continued.waitingSince()).isEqualTo(NOW.minus(MAX));
        }
    }

    @Test
    void confirmationWaitRestartsIfThePrinterIsBusy() throws Exception {
        try (Journal journal = journal()) {
            begin(journal, end(NOW));
            later.set(Duration.ofHours(1));
            ConfirmationWait wait = wait(journal, clock);
            wait.restoreWait(end(NOW), PRINTING, NOW);
            assertThat(wait.restoreWait(end(NOW), END, NOW)).isEqualTo(end(NOW));
        }
    }

    @Test
    void confirmationWaitContinuesOnlyOnceTheClockIsSynced() throws Exception {
        ServerClock server = new ServerClock(clock);
        try (Journal journal = journal()) {
            begin(journal, end(NOW));
            later.set(Duration.ofHours(1));
            ConfirmationWait wait = wait(journal, server);
            assertThat(wait.restoreWait(end(NOW), END, NOW)).isEqualTo(end(NOW));
            assertThat(wait.changedEntry(end(NOW), END, NOW)).isEmpty();
            server.trustMachine();
            assertThat(wait.restoreWait(end(NOW), END, NOW)).isEqualTo(end(NOW.minus(MAX)));
        }
    }

    @Test
    void confirmationWaitIsRemovedWhenThePrintRuns() throws Exception {
        try (Journal journal = journal()) {
            begin(journal, end(NOW));
            assertThat(wait(journal, clock).changedEntry(end(NOW), END, NOW)).isEmpty();
            ConfirmationWait wait = wait(journal, clock);
            Accepted running = new Accepted(JOB, PendingRequest.NONE);
            wait.restoreWait(running, PRINTING, NOW);
            wait.changedEntry(running, PRINTING, NOW).ifPresent(entry -> journal.write(List.of(entry), List.of()));
            assertThat(confirmation(journal)).isEmpty();
        }
    }

    @Test
    void unobservedPrintEndsSoonIfTheAgentRestartsAfterTheWait() throws Exception {
        try (Journal journal = journal()) {
            ask(journal);
            ScriptedPrinter first = new ScriptedPrinter();
            try (PrinterFleet fleet = fleet(journal, first)) {
                fleet.serve(List.of(ScriptedPrinter.CONFIG));
                first.showsAfterGap(END);
                Eventually.until(
                        "the wait is journaled", () -> confirmation(journal).isPresent());
            }
            later.set(Duration.ofMinutes(5));
            ScriptedPrinter second = new ScriptedPrinter();
            Instant start = Instant.now();
            try (PrinterFleet fleet = fleet(journal, second)) {
                fleet.serve(List.of(ScriptedPrinter.CONFIG));
                second.showsAfterGap(END);
                Eventually.until(
                        "it is over",
                        () -> journal.undeliveredEvents(100).stream()
                                .map(Event::kind)
                                .anyMatch(Kind.jobCompleted::equals));
            }
            assertThat(Duration.between(start, Instant.now())).isLessThan(GRACE);
        }
    }

    private static EndUnconfirmed end(Duration since) {
        return new EndUnconfirmed(ACCEPTED, since);
    }

    private static BeginUnconfirmed absent(Duration since) {
        return ACCEPTED.withAbsence(Absence.startingAt(since));
    }

    private void begin(Journal journal, UnconfirmedState state) {
        ask(journal);
        wait(journal, clock)
                .changedEntry(state, IDLE, NOW)
                .ifPresent(entry -> journal.write(List.of(entry), List.of()));
        assertThat(confirmation(journal)).isPresent();
    }

    private static void ask(Journal journal) {
        journal.write(
                List.of(
                        new JournalEntry.PrintAccepted(JOB),
                        new JournalEntry.JobStepReached(JOB.jobId(), JOB.attempt(), JobStep.started)),
                List.of());
    }

    private static Optional<Confirmation> confirmation(Journal journal) {
        return journal.job(JOB.jobId(), JOB.attempt()).flatMap(live -> Optional.ofNullable(live.confirmation()));
    }

    private static ConfirmationWait wait(Journal journal, InstantSource clock) {
        return new ConfirmationWait(journal, "k1", clock, MAX);
    }

    private Journal journal() throws Exception {
        return Journal.open(data.resolve("journal"), clock);
    }

    private PrinterFleet fleet(Journal journal, ScriptedPrinter printer) throws Exception {
        FileCache cache =
                new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(HttpClient.newHttpClient()), clock);
        return new PrinterFleet(
                _ -> printer, journal, cache, FilesOnPrinters.load(data), GRACE, new SilentReporter(), clock);
    }

    private record SilentReporter() implements PrinterReporter {
        @Override
        public void statusReceived() {}

        @Override
        public void stateChanged(String deviceId, @Nullable PrinterState state) {}

        @Override
        public void eventsRecorded() {}
    }
}
