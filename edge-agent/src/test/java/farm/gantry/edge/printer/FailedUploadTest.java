package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.Printer;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class FailedUploadTest {
    @TempDir
    Path data;

    @Test
    void incompleteUploadIsRemovedAndItsReasonReported() throws Exception {
        InstantSource clock = InstantSource.system();
        FileCache cache = new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), clock);
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = PrinterFixture.of(Printer.Provider.firmwareK, PrinterFixture.QUICK);
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet fleet = new PrinterFleet(
                        Providers::of,
                        journal,
                        cache,
                        FilesOnPrinters.load(data),
                        Duration.ofDays(1),
                        new ReportQueue(),
                        clock)) {
            fixture.log().fail("disk-full");
            fleet.serve(List.of(fixture.printer()));
            Eventually.until("it is online", () -> event(journal, Kind.printerOnline) != null);
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            fleet.applyCommands(
                    List.of(new Command(
                            "c1", PrinterFixture.DEVICE, clock.instant().plusSeconds(300), print)),
                    _ -> {});
            Eventually.until("it is given back", () -> event(journal, Kind.jobRefused) != null);
            assertThat(event(journal, Kind.jobRefused))
                    .extracting(Event::message)
                    .asString()
                    .endsWith("No space left on device");
            assertThat(fixture.log().uploads()).as("tries").isNotEmpty();
            assertThat(fixture.log().files()).isEmpty();
        }
    }

    private static @Nullable Event event(Journal journal, Kind kind) {
        return journal.undeliveredEvents(100).stream()
                .filter(event -> event.kind() == kind)
                .findFirst()
                .orElse(null);
    }
}
