package farm.gantry.edge.provider.octoprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parses a captured session of a real OctoPrint. */
class CaptureTest {

    @Test
    void recordedSessionYieldsTheExpectedStatuses() throws Exception {
        Path capture = Path.of(System.getProperty("corpus", ""), "printers", "vendorB", "octoprint_session.jsonl");
        assumeThat(capture).as("real messages, by -Dcorpus").exists();
        List<PrinterStatus> readings = new ArrayList<>();
        Map<String, Object> printer = Map.of();
        for (String line : Files.readAllLines(capture)) {
            Map<String, Object> exchange = Json.tree(line);
            Map<String, Object> answer = Tree.object(exchange, "resp");
            switch (String.valueOf(Tree.text(exchange, "req"))) {
                case "GET /api/printer" -> printer = answer;
                case "GET /api/job" ->
                    readings.add(OctoPrintStatusParser.parse(
                            printer, answer, readings.isEmpty() ? null : readings.getLast()));
                default -> {}
            }
        }
        assertThat(readings)
                .extracting(PrinterStatus::status)
                .containsExactly(Status.idle, Status.preparing, Status.preparing, Status.preparing);
        assertThat(readings.getFirst().temperatures())
                .isEqualTo(Map.of("nozzle", new Temperature(21.3, 0), "bed", new Temperature(21.3, 0)));
        assertThat(readings.getLast().fileName()).isEqualTo("bench.gcode");
    }
}
