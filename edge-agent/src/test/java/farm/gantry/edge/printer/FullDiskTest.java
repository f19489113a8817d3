package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A printer that keeps sending its status while the journal cannot be written. */
class FullDiskTest {
    private static final int MANY = 10 * ObservationQueue.MAX_COUNT;
    private static final String FOREIGN = "somebodys.gcode";

    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> InstantSource.system().instant().plus(later.get());
    private final ScriptedPrinter printer = new ScriptedPrinter();

    @TempDir
    Path data;

    @Test
    void jobEndAndBedUseAreReportedOnceTheJournalIsWritable() throws Exception {
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(file, clock);
                PrinterFleet fleet = fleet(journal)) {
            String name = printing(api, journal, fleet);
            Files.move(file, away);
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, name));
            later.set(Duration.ofMinutes(10));
            for (int i = 0; i < MANY; i++) {
                printer.shows(ScriptedPrinter.reading(Status.printing, null, FOREIGN));
                printer.shows(ScriptedPrinter.reading(Status.paused, null, FOREIGN));
            }
            // After a foreign print, the printer shows the farm's file again.
            for (int i = 0; i < MANY; i++) {
                printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, name));
                printer.shows(ScriptedPrinter.reading(Status.failed, Ending.FAILED, name));
            }
            Files.move(away, file);

            Eventually.until(
                    "its end is reported", () -> kinds(journal).contains(Kind.printerChanged), () -> kinds(journal));
            assertThat(kinds(journal)).contains(Kind.jobCompleted).doesNotContain(Kind.jobFailed);
        }
    }

    @Test
    void jobIsNotStartedAfterAForeignPrintDuringItsUpload() throws Exception {
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(file, clock);
                PrinterFleet fleet = fleet(journal)) {
            uploading(api, journal, fleet);
            Files.move(file, away);
            try (CapturedLog log = CapturedLog.of(PrinterThread.class, file.toString())) {
                printer.endUpload();
                Eventually.until(
                        "the agent could not write that the file is there",
                        () -> !log.lines().isEmpty());
            }
            printForeign();
            Files.move(away, file);
            Eventually.until("it is given back", () -> kinds(journal).contains(Kind.jobRefused), () -> kinds(journal));
            assertThat(printer.started()).isEmpty();
            assertThat(kinds(journal)).contains(Kind.printerChanged);
        }
    }

    @Test
    void uploadedJobIsNotStartedByAnOutdatedStatus() throws Exception {
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(file, clock);
                PrinterFleet fleet = fleet(journal)) {
            uploading(api, journal, fleet);
            printer.isLost();
            Eventually.until("it is lost", () -> kinds(journal).contains(Kind.printerOffline), () -> kinds(journal));
            printer.endUpload();
            Eventually.until("its file is there", () -> isUploaded(journal));
            Files.move(file, away);
            printer.showsAfterGap(ScriptedPrinter.reading(Status.idle, null, ""));
            printForeign();
            Files.move(away, file);
            Eventually.until("it is given back", () -> kinds(journal).contains(Kind.jobRefused), () -> kinds(journal));
            assertThat(printer.started()).isEmpty();
        }
    }

    @Test
    void uploadedJobStartsWhenThePrinterReconnects() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet fleet = fleet(journal)) {
            uploading(api, journal, fleet);
            printer.isLost();
            printer.endUpload();
            Eventually.until("its file is there", () -> isUploaded(journal));
            printer.showsAfterGap(ScriptedPrinter.reading(Status.idle, null, ""));
            Eventually.until("it has started", () -> kinds(journal).contains(Kind.jobStarted), () -> kinds(journal));
            assertThat(printer.started()).hasSize(1);
        }
    }

    @Test
    void jobOfARemovedPrinterIsReturnedOnceTheJournalIsWritable() throws Exception {
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(file, clock);
                PrinterFleet fleet = fleet(journal)) {
            uploading(api, journal, fleet);
            Files.move(file, away);
            assertThatThrownBy(() -> fleet.serve(List.of())).isInstanceOf(UncheckedIOException.class);
            assertThat(fleet.configs()).isEmpty();
            Files.move(away, file);
            fleet.serve(List.of(ScriptedPrinter.CONFIG));
            assertThat(kinds(journal)).contains(Kind.jobRefused);
            assertThat(journal.jobsOn("k1")).isEmpty();
            assertThat(fleet.configs()).hasSize(1);
        }
    }

    @Test
    void pauseIsSentOnceEvenIfAPersonResumesThePrint() throws Exception {
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(file, clock);
                PrinterFleet fleet = fleet(journal)) {
            String name = printing(api, journal, fleet);
            Files.move(file, away);
            Command pause = new Command("c2", "k1", clock.instant().plusSeconds(300), new Command.Pause("j1", 1));
            List<Ack> acks = new ArrayList<>();
            assertThatThrownBy(() -> fleet.applyCommands(List.of(pause), acks::add))
                    .isInstanceOf(UncheckedIOException.class);
            Eventually.until("it is paused", () -> !printer.controlled().isEmpty());
            assertThatThrownBy(() -> fleet.applyCommands(List.of(pause), acks::add))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(acks).isEmpty();
            printer.shows(ScriptedPrinter.reading(Status.paused, null, name));
            printer.shows(ScriptedPrinter.reading(Status.printing, null, name));
            Files.move(away, file);
            fleet.applyCommands(List.of(pause), acks::add);
            assertThat(acks).hasSize(1);
            printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, name));
            Eventually.until("it is over", () -> kinds(journal).contains(Kind.jobCompleted), () -> kinds(journal));
            assertThat(printer.controlled()).containsExactly(PrinterConnection.Control.PAUSE);
        }
    }

    @Test
    void cancelIsSentOnceOnAFullDiskAndRetriedAfterAFailure() throws Exception {
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(file, clock);
                PrinterFleet fleet = fleet(journal)) {
            String name = printing(api, journal, fleet);
            Files.move(file, away);
            printer.refuseControl();
            printer.shows(ScriptedPrinter.reading(Status.paused, null, name)); // cannot be journaled
            Command cancel = new Command("c2", "k1", clock.instant().plusSeconds(300), new Command.Cancel("j1", 1));
            fleet.carryOutStops(List.of(cancel));
            Eventually.until("it is stopped", () -> !printer.controlled().isEmpty());
            printer.shows(ScriptedPrinter.reading(Status.cancelled, Ending.CANCELLED, name));
            Files.move(away, file);
            Eventually.until("it is over", () -> kinds(journal).contains(Kind.jobCancelled), () -> kinds(journal));
            assertThat(printer.controlled()).containsExactly(PrinterConnection.Control.CANCEL);
        }
    }

    /** Starts a job, waits until the printer reports it, and returns its file. */
    private String printing(FakeApi api, Journal journal, PrinterFleet fleet) throws Exception {
        printer.showsAfterGap(ScriptedPrinter.reading(Status.idle, null, ""));
        Eventually.until("it is online", () -> kinds(journal).contains(Kind.printerOnline));
        Command.Print print = api.print("j1", 1, PrintFile.cube());
        fleet.applyCommands(List.of(new Command("c1", "k1", clock.instant().plusSeconds(300), print)), _ -> {});
        Eventually.until("it has started", () -> kinds(journal).contains(Kind.jobStarted));
        String name = printer.started().getFirst();
        printer.shows(ScriptedPrinter.reading(Status.printing, null, name));
        Eventually.until("it is seen to print", () -> isPrinting(fleet));
        return name;
    }

    /** Requests a job and waits until the upload of its file has begun. */
    private void uploading(FakeApi api, Journal journal, PrinterFleet fleet) throws Exception {
        printer.holdUpload();
        printer.showsAfterGap(ScriptedPrinter.reading(Status.idle, null, ""));
        Eventually.until("it is online", () -> kinds(journal).contains(Kind.printerOnline));
        Command.Print print = api.print("j1", 1, PrintFile.cube());
        fleet.applyCommands(List.of(new Command("c1", "k1", clock.instant().plusSeconds(300), print)), _ -> {});
        Eventually.until("its file is on its way", () -> printer.uploads() == 1);
    }

    private static boolean isUploaded(Journal journal) {
        return journal.job("j1", 1).orElseThrow().step() == JobStep.uploaded;
    }

    private void printForeign() {
        printer.shows(ScriptedPrinter.reading(Status.printing, null, FOREIGN));
        printer.shows(ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, FOREIGN));
    }

    private static boolean isPrinting(PrinterFleet fleet) {
        PrinterState state = fleet.states().get("k1");
        return state != null && state.status() == Status.printing;
    }

    private PrinterFleet fleet(Journal journal) throws Exception {
        FileCache cache = new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), clock);
        PrinterFleet fleet = new PrinterFleet(
                _ -> printer, journal, cache, FilesOnPrinters.load(data), Duration.ofDays(1), new ReportQueue(), clock);
        fleet.serve(List.of(ScriptedPrinter.CONFIG));
        return fleet;
    }

    private static List<Kind> kinds(Journal journal) {
        return journal.undeliveredEvents(100).stream().map(Event::kind).toList();
    }
}
