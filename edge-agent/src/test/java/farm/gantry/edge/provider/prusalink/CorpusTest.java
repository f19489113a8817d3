package farm.gantry.edge.provider.prusalink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parses messages that were captured from real printers. */
class CorpusTest {

    @Test
    void recordedPrintingStatusIsParsed() throws Exception {
        Map<String, Object> status = payload("pyprusalink_05_test_get_status.json");
        Map<String, Object> job = payload("pyprusalink_07_test_get_job.json");
        PrinterStatus reading =
                PrusaLinkStatusParser.parse(status, Tree.text(job, "file", "display_name"), null, false);
        assertThat(reading.status()).isEqualTo(Status.printing);
        assertThat(reading.temperatures())
                .isEqualTo(Map.of("nozzle", new Temperature(214.9, 215), "bed", new Temperature(59.5, 60)));
        assertThat(reading.file())
                .isEqualTo(new PrinterStatus.File("test_print.gcode", 55, null, null, 1_200L, 980L, null)
                        .withPosition(null, 0.5));
        assertThat(PrusaLinkStorage.parse(status)).isEqualTo(new PrusaLinkStorage("usb"));
    }

    @Test
    void recordedIdleStatusIsParsed() throws Exception {
        PrinterStatus reading =
                PrusaLinkStatusParser.parse(payload("pyprusalink_06_test_get_status_idle.json"), null, null, false);
        assertThat(reading.status()).isEqualTo(Status.idle);
        assertThat(reading.file()).isNull();
    }

    private static Map<String, Object> payload(String name) throws Exception {
        Path message = Path.of(System.getProperty("corpus", ""), "printers", "vendorP", name);
        assumeThat(message).as("real messages, by -Dcorpus").exists();
        return Tree.object(Json.tree(Files.readString(message)), "payload");
    }
}
