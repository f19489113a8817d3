package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The printers of all providers heat before they print, and the end of a print says for how long. */
class HeatingOfProvidersTest {
    @TempDir
    Path data;

    @Test
    void endOfAPrintReportsTheHeatingTimeOfEveryProvider() throws Exception {
        List<PrinterFixture> fixtures = PrinterFixture.MAKES.stream()
                .map(make -> PrinterFixture.of(make, PrinterFixture.QUICK, make.name()))
                .toList();
        try (FakeApi api = new FakeApi()) {
            api.serve(fixtures.stream().map(PrinterFixture::printer).toArray(PrinterConfig[]::new));
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                for (var make : PrinterFixture.MAKES) {
                    Eventually.until(make + " is idle", () -> "idle".equals(api.status(make.name())));
                    api.command(make.name(), api.print(jobId(make), 1, PrintFile.cube()));
                }
                for (var make : PrinterFixture.MAKES) {
                    Eventually.until(
                            make + " has printed",
                            () -> api.kinds(jobId(make)).contains(Kind.jobCompleted),
                            api::events);
                }
            }
            assertThat(api.events())
                    .filteredOn(event -> event.kind() == Kind.jobCompleted)
                    .hasSameSizeAs(fixtures)
                    .allSatisfy(event -> assertThat(event.heatingSeconds())
                            .as(event.deviceId())
                            .isNotNull()
                            .isBetween(1L, 60L));
            assertThat(api.events())
                    .filteredOn(event -> event.kind() == Kind.jobStarted)
                    .extracting(Event::heatingSeconds)
                    .containsOnlyNulls();
        } finally {
            fixtures.forEach(PrinterFixture::close);
        }
    }

    private static String jobId(Printer.Provider make) {
        return "j" + PrinterFixture.MAKES.indexOf(make);
    }
}
