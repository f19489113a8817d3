package farm.gantry.edge.provider.elegoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parses the example messages of the protocol documentation. */
class CaptureTest {

    @Test
    void partialReportKeepsOtherFieldsOfAPrint() throws Exception {
        ElegooState whole = ElegooState.empty().withFullStatus(result("doc_008_Full_Status_Response"));
        PrinterStatus reading = ElegooStatusParser.parse(whole, null, false);
        assertThat(reading.status()).isEqualTo(Status.printing);
        assertThat(reading.file()).isEqualTo(new PrinterStatus.File("benchy.gcode", 45, 225, 500, 3600L, 4400L, null));
        assertThat(reading.temperatures())
                .isEqualTo(Map.of(
                        "nozzle", new Temperature(215, 220),
                        "bed", new Temperature(58.5, 60),
                        "chamber", new Temperature(33, 0)));
        PrinterStatus changed =
                ElegooStatusParser.parse(whole.withChange(42, result("doc_010_Delta_Update_Example")), reading, false);
        assertThat(changed.file()).isEqualTo(new PrinterStatus.File("benchy.gcode", 46, 230, 500, 3650L, 4400L, null));
        assertThat(changed.temperatures()).containsEntry("nozzle", new Temperature(219.5, 220));
    }

    @Test
    void traysOfACanvasUnitAreFilamentSlots() throws Exception {
        ElegooState reported = ElegooState.empty()
                .withFullStatus(result("doc_008_Full_Status_Response"))
                .withSlots(Tree.object(result("doc_025_Canvas_Status_Response"), "canvas_info"));
        assertThat(ElegooStatusParser.parse(reported, null, false).filamentSlots())
                .hasSize(4)
                .contains(new FilamentSlot(0, 0, true, "PLA", "#2850DF"))
                .contains(new FilamentSlot(0, 3, true, "PLA", "#000000"));
    }

    @Test
    void exceptionsAreReportedAsErrors() throws Exception {
        ElegooState reported = ElegooState.empty().withFullStatus(message("doc_032_Exception_Status"));
        assertThat(ElegooStatusParser.parse(reported, null, false).errors()).hasSize(2);
    }

    @Test
    void startCommandHasTheDocumentedFields() throws Exception {
        Map<String, Object> described = message("doc_028_Start_Print");
        ElegooCommand order = new ElegooPrintCommand("benchy.gcode", null, new PrinterBindings(Map.of())).toCommand();
        assertThat(order.method()).isEqualTo(Tree.integer(described, "method"));
        assertThat(order.params()).isEqualTo(Tree.object(described, "params"));
    }

    private static Map<String, Object> result(String name) throws Exception {
        return Tree.object(message(name), "result");
    }

    private static Map<String, Object> message(String name) throws Exception {
        Path capture = Path.of(
                System.getProperty("corpus", ""), "printers", "elegoo-mqtt", "cc2_protocol_doc", name + ".json");
        assumeThat(capture).as("described messages, by -Dcorpus").exists();
        return Tree.object(Json.tree(Files.readString(capture)), "payload");
    }
}
