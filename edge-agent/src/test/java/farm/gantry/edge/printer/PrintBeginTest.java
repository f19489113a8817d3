package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.edge.printer.state.Transitions;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests with a printer that reports the name of the next print together with the end of the last one. */
class PrintBeginTest {
    private static final PrinterStatus LAST = ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, "last.gcode");
    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    Path data;

    private final ScriptedPrinter printer = new ScriptedPrinter();

    @Test
    void jobRequestedBeforeThePrinterLoopStartsIsStarted() throws Exception {
        FilesOnPrinters onPrinters = FilesOnPrinters.load(data);
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterLoop loop = new PrinterLoop(
                        ScriptedPrinter.CONFIG,
                        listener -> printer.connect(ScriptedPrinter.CONFIG, "", listener),
                        new Transitions(Duration.ofDays(1), Duration.ofDays(1), Set.of()),
                        journal,
                        PrintableFiles.of(cache(), onPrinters, printer.abilities()),
                        new ReportQueue(),
                        CLOCK)) {
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            Job job = Job.of(new Command("c1", "k1", CLOCK.instant().plusSeconds(300), print), print);
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            loop.requestPrint(job);
            loop.start();
            printer.shows(ScriptedPrinter.reading(Status.idle, null, ""));
            Eventually.until(
                    "it is started",
                    () -> printer.started().equals(List.of(job.fileName())),
                    () -> journal.undeliveredEvents(100));
        }
    }

    @Test
    void endOfThePreviousPrintIsNotReportedForTheNext() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet fleet = fleet(journal, Duration.ofDays(1))) {
            String file = start(api, fleet, journal);
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, file));
            printer.shows(ScriptedPrinter.reading(Status.printing, null, file));
            printer.shows(ScriptedPrinter.reading(Status.failed, Ending.FAILED, file));
            Eventually.until("its own end is reported", () -> kinds(journal).contains(Kind.jobFailed));
            assertThat(kinds(journal))
                    .containsExactly(Kind.printerChanged, Kind.printerOnline, Kind.jobStarted, Kind.jobFailed);
        }
    }

    /** The agent does not journal whether it has reported a pause. */
    @ParameterizedTest
    @CsvSource({"printing,jobResumed", "paused,jobPaused"})
    void pauseStateIsReportedOnceAfterARestart(Status shown, Kind expected) throws Exception {
        try (Journal journal = Journal.open(data.resolve("journal"), CLOCK)) {
            Job job = begun(journal);
            try (PrinterFleet _ = fleet(journal, Duration.ofDays(1))) {
                printer.shows(ScriptedPrinter.reading(shown, null, job.fileName()));
                printer.showsAfterGap(ScriptedPrinter.reading(shown, null, job.fileName()));
                printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, job.fileName()));
                Eventually.until("its end is reported", () -> kinds(journal).contains(Kind.jobCompleted));
            }
            assertThat(kinds(journal))
                    .filteredOn(List.of(Kind.jobPaused, Kind.jobResumed)::contains)
                    .containsExactly(expected);
        }
    }

    @Test
    void pendingPauseSurvivesARestartAndIsSentOnce() throws Exception {
        ScriptedPrinter next = new ScriptedPrinter();
        Job job;
        try (Journal journal = Journal.open(data.resolve("journal"), CLOCK)) {
            job = begun(journal);
            try (PrinterFleet fleet = fleet(journal, Duration.ofDays(1))) {
                printer.shows(ScriptedPrinter.reading(Status.preparing, null, job.fileName()));
                Command.Pause pause = new Command.Pause(job.jobId(), job.attempt());
                fleet.applyCommands(
                        List.of(new Command("c2", "k1", CLOCK.instant().plusSeconds(300), pause)), _ -> {});
                printer.showsAfterGap(ScriptedPrinter.reading(Status.preparing, null, job.fileName()));
                Eventually.until("it is seen", () -> kinds(journal).contains(Kind.jobResumed));
            }
            journal.dropDelivered(journal.lastSequence());
        }
        try (Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet _ = fleet(journal, Duration.ofDays(1), CLOCK, next)) {
            next.shows(ScriptedPrinter.reading(Status.preparing, null, job.fileName()));
            Eventually.until("it is seen", () -> kinds(journal).contains(Kind.jobResumed));
            assertThat(next.controlled()).isEmpty();
            next.shows(ScriptedPrinter.reading(Status.printing, null, job.fileName()));
            Eventually.until("it is paused", () -> next.controlled().equals(List.of(PrinterConnection.Control.PAUSE)));
            assertThat(journal.jobsOn("k1")).extracting(ActiveJob::pausing).containsExactly(false);
        }
    }

    @Test
    void statusUpdateKeepsAPendingPause() throws Exception {
        try (Journal journal = Journal.open(data.resolve("journal"), CLOCK)) {
            Job job = begun(journal);
            try (PrinterFleet _ = fleet(journal, Duration.ofDays(1))) {
                journal.write(List.of(new JournalEntry.Pausing(job.jobId(), job.attempt(), true)), List.of());
                printer.shows(ScriptedPrinter.reading(Status.preparing, null, job.fileName()));
                Eventually.until("it is seen", () -> kinds(journal).contains(Kind.jobResumed));
            }
            assertThat(journal.jobsOn("k1")).extracting(ActiveJob::pausing).containsExactly(true);
        }
    }

    @Test
    void observedPrintIsRememberedAfterARestart() throws Exception {
        ScriptedPrinter next = new ScriptedPrinter();
        Job job;
        try (Journal journal = Journal.open(data.resolve("journal"), CLOCK)) {
            job = begun(journal);
            try (PrinterFleet _ = fleet(journal, Duration.ofDays(1))) {
                printer.shows(ScriptedPrinter.reading(Status.printing, null, job.fileName()));
                Eventually.until("it is seen", () -> kinds(journal).contains(Kind.jobResumed));
            }
        }
        try (Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet _ = fleet(journal, Duration.ofDays(1), CLOCK, next)) {
            next.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, job.fileName()));
            Eventually.until(
                    "its end is reported at once",
                    () -> kinds(journal).contains(Kind.jobCompleted),
                    () -> kinds(journal));
        }
    }

    private static Job begun(Journal journal) throws Exception {
        try (FakeApi api = new FakeApi()) {
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            Job job = Job.of(new Command("c1", "k1", CLOCK.instant().plusSeconds(300), print), print);
            journal.write(
                    List.of(
                            new JournalEntry.PrintAccepted(job),
                            new JournalEntry.JobStepReached("j1", 1, JobStep.started)),
                    List.of());
            return job;
        }
    }

    /** The print ended before any status showed it running. */
    @Test
    void endShownLongerThanTheGracePeriodIsReported() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet fleet = fleet(journal, Duration.ofMillis(1))) {
            String file = start(api, fleet, journal);
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, file));
            Eventually.until("its end is reported", () -> kinds(journal).contains(Kind.jobCompleted));
        }
    }

    @Test
    void printThatBeginsAfterItsTimeoutIsStoppedAndReportedOnce() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet fleet = fleet(journal, Duration.ofMillis(1))) {
            String file = start(api, fleet, journal);
            for (Status status : List.of(Status.cancelled, Status.finished, Status.cancelled)) {
                printer.shows(ScriptedPrinter.reading(status, Ending.COMPLETED, LAST.fileName()));
                Eventually.until(
                        "it is seen",
                        () -> fleet.states().values().stream().anyMatch(state -> state.status() == status));
            }
            Eventually.until("the printer is given up", () -> kinds(journal).contains(Kind.jobFailed));
            printer.refuseControl();
            printer.shows(ScriptedPrinter.reading(Status.printing, null, file).withPrintCounter("7"));
            Eventually.until(
                    "it is stopped", () -> printer.controlled().equals(List.of(PrinterConnection.Control.CANCEL)));
            assertThat(changes(journal))
                    .filteredOn(change -> change.contains("is stopped"))
                    .hasSize(1);
        }
    }

    @Test
    void reprintOfACompletedFileIsNotStopped() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet fleet = fleet(journal, Duration.ofMillis(1))) {
            String file = start(api, fleet, journal);
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, file));
            Eventually.until("its end is reported", () -> kinds(journal).contains(Kind.jobCompleted));
            printer.shows(ScriptedPrinter.reading(Status.printing, null, file).withPrintCounter("7"));
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, file)
                    .withPrintCounter("7"));
            Eventually.until(
                    "its second end is reported",
                    () -> changes(journal).getLast().contains("has ended"));
            assertThat(changes(journal)).noneMatch(change -> change.contains("is stopped"));
        }
    }

    private static List<String> changes(Journal journal) {
        return journal.undeliveredEvents(100).stream()
                .filter(event -> event.kind() == Kind.printerChanged)
                .map(event -> String.valueOf(event.message()))
                .toList();
    }

    @Test
    void printDoesNotTimeOutOnAPrinterThatBeginsLate() throws Exception {
        printer.beginsLate();
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet fleet = fleet(journal, Duration.ofMillis(1))) {
            String file = start(api, fleet, journal);
            for (Status status : List.of(Status.cancelled, Status.finished, Status.cancelled, Status.finished)) {
                printer.shows(ScriptedPrinter.reading(status, Ending.COMPLETED, LAST.fileName()));
                Eventually.until(
                        "it is seen",
                        () -> fleet.states().values().stream().anyMatch(state -> state.status() == status));
            }
            printer.shows(ScriptedPrinter.reading(Status.printing, null, file));
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, file));
            Eventually.until("its end is reported", () -> kinds(journal).contains(Kind.jobCompleted));
            assertThat(kinds(journal))
                    .containsExactly(Kind.printerChanged, Kind.printerOnline, Kind.jobStarted, Kind.jobCompleted);
        }
    }

    @Test
    void failedGcodeDuringAPrintDoesNotFailThePrint() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet fleet = fleet(journal, Duration.ofDays(1))) {
            String file = start(api, fleet, journal);
            printer.shows(ScriptedPrinter.reading(Status.printing, null, file));
            long begun = journal.lastSequence();
            Command.Send gcode = new Command.Send("gcode", Map.of("lines", List.of("FOO")));
            fleet.applyCommands(List.of(new Command("c2", "k1", CLOCK.instant().plusSeconds(300), gcode)), _ -> {});
            Eventually.until("its failure is reported", () -> kinds(journal).contains(Kind.commandFailed));
            assertThat(journal.undeliveredEvents(100).getLast())
                    .extracting(Event::commandId, Event::jobId)
                    .containsExactly("c2", null);
            assertThat(journal.isBedUsedSince("k1", begun)).isFalse();
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, file));
            Eventually.until("the print's end is reported", () -> kinds(journal).contains(Kind.jobCompleted));
            assertThat(kinds(journal))
                    .containsExactly(
                            Kind.printerChanged,
                            Kind.printerOnline,
                            Kind.jobStarted,
                            Kind.commandFailed,
                            Kind.jobCompleted);
        }
    }

    @Test
    void jobThatExpiresDuringItsUploadIsReturned() throws Exception {
        Instant begun = CLOCK.instant();
        AtomicReference<Instant> now = new AtomicReference<>(begun);
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), now::get);
                PrinterFleet fleet = fleet(journal, Duration.ofDays(1), now::get)) {
            printer.holdUpload();
            take(api, fleet, journal);
            Eventually.until("its file is on its way", () -> printer.uploads() == 1);
            now.set(begun.plus(Duration.ofHours(25)));
            printer.showsAfterGap(LAST);
            Eventually.until("it is given back", () -> kinds(journal).contains(Kind.jobRefused));
            printer.endUpload();
            printer.showsAfterGap(LAST);
            assertThat(journal.jobsOn("k1")).isEmpty();
            assertThat(printer.started()).isEmpty();
        }
    }

    @Test
    void printIsRefusedIfAForeignPrintEndsBeforeItsStart() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), CLOCK);
                PrinterFleet fleet = fleet(journal, Duration.ofDays(1))) {
            printer.holdStart();
            take(api, fleet, journal);
            Eventually.until(
                    "its start waits",
                    () -> journal.jobsOn("k1").stream().anyMatch(live -> live.step() == JobStep.start_sent));
            printer.shows(ScriptedPrinter.reading(Status.cancelled, Ending.CANCELLED, "somebodys.gcode"));
            printer.endStart();
            Eventually.until("it is refused", () -> kinds(journal).contains(Kind.jobRefused));
            assertThat(kinds(journal))
                    .as("what the API hears before it tries the job again")
                    .containsSubsequence(Kind.printerOnline, Kind.printerChanged, Kind.jobRefused);
            assertThat(printer.started()).isEmpty();
        }
    }

    private String start(FakeApi api, PrinterFleet fleet, Journal journal) {
        take(api, fleet, journal);
        Eventually.until("it has started", () -> kinds(journal).contains(Kind.jobStarted));
        return printer.started().getFirst();
    }

    private void take(FakeApi api, PrinterFleet fleet, Journal journal) {
        printer.showsAfterGap(LAST);
        Eventually.until("it is online", () -> kinds(journal).contains(Kind.printerOnline));
        Command.Print print = api.print("j1", 1, PrintFile.cube());
        fleet.applyCommands(List.of(new Command("c1", "k1", CLOCK.instant().plusSeconds(300), print)), _ -> {});
    }

    private PrinterFleet fleet(Journal journal, Duration grace) throws Exception {
        return fleet(journal, grace, CLOCK);
    }

    private PrinterFleet fleet(Journal journal, Duration grace, InstantSource clock) throws Exception {
        return fleet(journal, grace, clock, printer);
    }

    private PrinterFleet fleet(Journal journal, Duration grace, InstantSource clock, ScriptedPrinter shown)
            throws Exception {
        PrinterFleet fleet = new PrinterFleet(
                _ -> shown, journal, cache(), FilesOnPrinters.load(data), grace, new ReportQueue(), clock);
        fleet.serve(List.of(ScriptedPrinter.CONFIG));
        return fleet;
    }

    private FileCache cache() throws IOException {
        return new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), CLOCK);
    }

    private static List<Kind> kinds(Journal journal) {
        return journal.undeliveredEvents(100).stream().map(Event::kind).toList();
    }
}
