package farm.gantry.edge.provider.sdcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parses the examples of the protocol documentation, which are of a resin printer. */
class CaptureTest {

    @Test
    void documentedStatusExampleIsParsedAsPrinting() throws Exception {
        PrinterStatus reading = SdcpStatusParser.parse(Tree.object(example("003_Status_Information"), "Status"), null);
        assertThat(reading.status()).isEqualTo(Status.printing);
        assertThat(reading.file()).isEqualTo(new PrinterStatus.File("HitWork.ctb", 100, 100, 1_000, 66L, 0L, null));
        assertThat(reading.temperatures()).containsOnlyKeys("chamber");
        assertThat(reading.errors()).hasSize(1);
    }

    @Test
    void documentedResponseConfirmsTheCommand() throws Exception {
        Map<String, Object> answer = example("011_Start_Printing_Cmd_128");
        assertThat(Tree.text(answer, "Data", "RequestID")).isNotEmpty();
        assertThat(SdcpSocket.parseAck(Tree.object(answer, "Data", "Data"))).isZero();
    }

    private static Map<String, Object> example(String name) throws Exception {
        Path example =
                Path.of(System.getProperty("corpus", ""), "printers", "sdcp", "spec_v3", "doc_" + name + ".json");
        assumeThat(example).as("the description's examples, by -Dcorpus").exists();
        return Tree.object(Json.tree(Files.readString(example)), "payload");
    }
}
