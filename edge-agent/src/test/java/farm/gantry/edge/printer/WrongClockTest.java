package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the agent on a machine whose clock stood still during a power cut. */
class WrongClockTest {
    private static final PrinterStatus IDLE = ScriptedPrinter.reading(Status.idle, null, "");

    private final Instant powerCut = Instant.now();
    private final Instant right = powerCut.plus(Duration.ofHours(5)).plusSeconds(30);
    private final ServerClock clock = new ServerClock(() -> powerCut);
    private final ScriptedPrinter printer = new ScriptedPrinter();

    @TempDir
    Path data;

    @Test
    void expiredJobOfThePreviousRunIsReturned() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = accepted(api, powerCut.plus(Duration.ofHours(1)));
                PrinterFleet fleet = fleet(journal)) {
            fleet.serve(List.of(ScriptedPrinter.CONFIG));
            printer.showsAfterGap(IDLE);
            Eventually.until("it is online", () -> kinds(journal).contains(Kind.printerOnline));
            answer(fleet);
            Eventually.until("it is given back", () -> kinds(journal).contains(Kind.jobRefused));
            assertThat(printer.started()).isEmpty();
        }
    }

    @Test
    void jobOfThePreviousRunContinuesOnceTheClockIsSynced() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = accepted(api, right.plus(Duration.ofHours(1)));
                PrinterFleet fleet = fleet(journal)) {
            fleet.serve(List.of(ScriptedPrinter.CONFIG));
            printer.showsAfterGap(IDLE);
            Eventually.until("it is online", () -> kinds(journal).contains(Kind.printerOnline));
            assertThat(printer.uploads()).isZero();
            answer(fleet);
            Eventually.until("it has begun", () -> kinds(journal).contains(Kind.jobStarted));
            assertThat(printer.started()).hasSize(1);
        }
    }

    @Test
    void cancelledJobOfThePreviousRunIsNotStarted() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = accepted(api, right.plus(Duration.ofHours(1)));
                PrinterFleet fleet = fleet(journal)) {
            fleet.serve(List.of(ScriptedPrinter.CONFIG));
            printer.showsAfterGap(IDLE);
            answer(fleet, new Command("c2", "k1", right.plusSeconds(300), new Command.Cancel("j1", 1)));
            Eventually.until("it is cancelled", () -> kinds(journal).contains(Kind.jobCancelled));
            assertThat(printer.uploads()).isZero();
        }
    }

    /** An error response of the API can sync the clock before the first answer with commands. */
    @Test
    void jobOfThePreviousRunWaitsForTheFirstCommands() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = accepted(api, right.plus(Duration.ofHours(1)));
                PrinterFleet fleet = fleet(journal)) {
            clock.adjust(clock.instant(), right);
            fleet.serve(List.of(ScriptedPrinter.CONFIG));
            printer.showsAfterGap(IDLE);
            Eventually.until("it is online", () -> kinds(journal).contains(Kind.printerOnline));
            assertThat(api.files().ranges()).isEmpty();
            answer(fleet, new Command("c2", "k1", right.plusSeconds(300), new Command.Cancel("j1", 1)));
            Eventually.until("it is cancelled", () -> kinds(journal).contains(Kind.jobCancelled));
            assertThat(api.files().ranges()).isEmpty();
        }
    }

    /** A printer without a print counter may have printed in the five hours of the power cut. */
    @Test
    void unobservedTimeIsMeasuredByTheApiClock() throws Exception {
        try (Journal journal = journal();
                PrinterFleet fleet = fleet(journal)) {
            journal.write(List.of(new JournalEntry.LastObservation("k1", "", false, null, powerCut)), List.of());
            fleet.serve(List.of(ScriptedPrinter.CONFIG));
            printer.showsAfterGap(IDLE);
            Eventually.until("it is online", () -> kinds(journal).contains(Kind.printerOnline));
            assertThat(kinds(journal)).doesNotContain(Kind.printerChanged);
            answer(fleet);
            Eventually.until("it may have printed", () -> kinds(journal).contains(Kind.printerChanged));
            printer.shows(IDLE);
            answer(fleet);
            assertThat(journal.undeliveredEvents(100))
                    .filteredOn(event -> event.kind() == Kind.printerChanged)
                    .singleElement()
                    .extracting(Event::message)
                    .asString()
                    .contains("unreachable for 300 minutes");
        }
    }

    /** Applies an answer of the API, which syncs the clock. */
    private void answer(PrinterFleet fleet, Command... commands) {
        clock.adjust(clock.instant(), right);
        fleet.applyCommands(List.of(commands), _ -> {});
    }

    private Journal accepted(FakeApi api, Instant expiry) throws Exception {
        Command.Print print = api.print("j1", 1, PrintFile.cube());
        Journal journal = journal();
        journal.write(
                List.of(new JournalEntry.PrintAccepted(Job.of(new Command("c1", "k1", expiry, print), print))),
                List.of());
        return journal;
    }

    private Journal journal() throws Exception {
        return Journal.open(data.resolve("journal"), clock);
    }

    private PrinterFleet fleet(Journal journal) throws Exception {
        FileCache cache = new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), clock);
        return new PrinterFleet(
                _ -> printer, journal, cache, FilesOnPrinters.load(data), Duration.ofDays(1), new ReportQueue(), clock);
    }

    private static List<Kind> kinds(Journal journal) {
        return journal.undeliveredEvents(100).stream().map(Event::kind).toList();
    }
}
