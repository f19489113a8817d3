package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.provider.Providers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrinterFleetTest {
    @Test
    void anAgentThatHasEndedTakesOverNoMorePrinters(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        FileCache cache = new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), clock);
        try (Journal journal = Journal.at(data.resolve("journal"), clock)) {
            PrinterFleet printers =
                    new PrinterFleet(Providers::of, journal, cache, Duration.ofSeconds(2), new ReportQueue(), clock);
            printers.close();

            printers.serve(List.of(FakeApi.firmwareK("k1", 1, null)));

            assertThat(printers.configs()).isEmpty();
        }
    }
}
