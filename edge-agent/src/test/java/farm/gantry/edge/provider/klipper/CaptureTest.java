package farm.gantry.edge.provider.klipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parses a captured session of a real Klipper, frame by frame. */
class CaptureTest {
    private static final String SESSION = "printers/firmwareK/capture_virtual_klipper_session.jsonl";

    @Test
    void recordedSessionYieldsTheExpectedStatuses() throws Exception {
        String corpus = System.getProperty("corpus", "");
        Path capture = Path.of(corpus, SESSION);
        assumeThat(capture).exists();
        KlipperState klipper = KlipperState.empty();
        List<Status> statuses = new ArrayList<>();
        List<PrinterStatus> finished = new ArrayList<>();
        for (String line : Files.readAllLines(capture)) {
            Map<String, Object> message = Tree.object(Json.tree(line), "msg");
            Map<String, Object> whole = Tree.object(message, "result", "status");
            boolean delta = "notify_status_update".equals(Tree.text(message, "method"));
            if (!whole.isEmpty()) {
                klipper = KlipperState.empty().merge(whole);
            } else if (delta) {
                klipper = klipper.merge(Tree.object(Tree.list(message, "params").getFirst()));
            } else {
                continue;
            }
            PrinterStatus reading = KlipperStatusParser.parse(klipper);
            if (statuses.isEmpty() || statuses.getLast() != reading.status()) {
                statuses.add(reading.status());
            }
            if (reading.status() == Status.finished) {
                finished.add(reading);
            }
        }
        assertThat(statuses)
                .containsSubsequence(
                        Status.idle,
                        Status.preparing,
                        Status.printing,
                        Status.paused,
                        Status.printing,
                        Status.finished,
                        Status.preparing,
                        Status.cancelled,
                        Status.error);
        PrinterStatus complete = finished.getFirst();
        assertThat(complete.fileName()).isEqualTo("test.gcode");
        assertThat(complete.file()).extracting(PrinterStatus.File::totalLayers).isEqualTo(12);
        assertThat(complete.temperatures()).containsKeys("nozzle", "bed", "chamber");
    }
}
