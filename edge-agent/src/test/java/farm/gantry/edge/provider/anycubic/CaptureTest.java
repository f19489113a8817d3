package farm.gantry.edge.provider.anycubic;

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

/** Parses reports that were captured from real printers. */
class CaptureTest {

    @Test
    void kobraS1ReportsAPrintWithTimesInMinutes() throws Exception {
        PrinterStatus reading = read(capture("doc_info_printing_kobra_s1"));
        assertThat(reading.status()).isEqualTo(Status.printing);
        assertThat(reading.file())
                .isEqualTo(new PrinterStatus.File(
                        "Loona_sharing_model_face_Bumper_plate(01)_TPU_0.2_3h45m32s.gcode",
                        35,
                        50,
                        184,
                        79 * 60L,
                        113 * 60L,
                        null));
        assertThat(reading.temperatures())
                .isEqualTo(Map.of("nozzle", new Temperature(205, 205), "bed", new Temperature(36, 35)));
        assertThat(reading.errors()).isEmpty();
    }

    @Test
    void kobra3MaxIsReportedAsIdle() throws Exception {
        PrinterStatus reading = read(capture("doc_info_idle_kobra3max"));
        assertThat(reading.status()).isEqualTo(Status.idle);
        assertThat(reading.file()).isNull();
    }

    @Test
    void kobraS1MaxReportsItsChamberTemperature() throws Exception {
        PrinterStatus reading = read(Map.of("data", capture("chrisfore_info_report")));
        assertThat(reading.status()).isEqualTo(Status.printing);
        assertThat(reading.fileName()).isEqualTo("demo_PETG.gcode.3mf");
        assertThat(reading.temperatures()).containsEntry("chamber", new Temperature(43, 0));
    }

    @Test
    void startCommandHasTheDocumentedFields() throws Exception {
        Map<String, Object> described = Tree.object(capture("doc_start_print"), "payload");
        Map<String, ?> message = new AnycubicPrintCommand("a.gcode", "<md5>", null)
                .toCommand(AnycubicState.empty())
                .message("<uuid>");
        assertThat(message.keySet()).isEqualTo(described.keySet());
        assertThat(message.get("data")).isEqualTo(described.get("data"));
    }

    private static PrinterStatus read(Map<String, Object> report) {
        return AnycubicStatusParser.parse(AnycubicState.empty().withFullReport(report), null, false);
    }

    private static Map<String, Object> capture(String name) throws Exception {
        Path capture = Path.of(System.getProperty("corpus", ""), "printers", "anycubic", name + ".json");
        assumeThat(capture).as("real reports, by -Dcorpus").exists();
        return Json.tree(Files.readString(capture));
    }
}
