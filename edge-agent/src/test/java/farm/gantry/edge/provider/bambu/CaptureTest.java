package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Parses reports that were captured from real printers. */
class CaptureTest {

    @Test
    void h2dCleaningItsNozzleIsReportedAsPreparing() throws Exception {
        PrinterStatus reading = read(Tree.object(capture("H2D"), "push_all"));
        assertThat(reading.status()).isEqualTo(Status.preparing);
        assertThat(reading.fileName()).isEqualTo("Number 10 House Numbers_plate_1");
        assertThat(reading.temperatures())
                .isEqualTo(Map.of(
                        "nozzle", new Temperature(264, 225),
                        "nozzle1", new Temperature(40, 0),
                        "bed", new Temperature(100, 100),
                        "chamber", new Temperature(48, 60)));
        assertThat(reading.filamentSlots())
                .hasSize(7)
                .filteredOn(FilamentSlot::loaded)
                .hasSize(5);
        assertThat(reading.errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("developer mode"));
    }

    @Test
    void partialReportOfAnH2dKeepsOtherFields() throws Exception {
        Map<String, Object> capture = capture("H2D");
        BambuLabState whole = BambuLabState.empty().merge(Tree.object(capture, "push_all"));
        BambuLabState changed = whole.merge(Tree.object(capture, "push_door_opened"));
        assertThat(BambuLabStatusParser.parse(changed, null, false))
                .isEqualTo(BambuLabStatusParser.parse(whole, null, false));
    }

    @Test
    void idleA1HasNoChamberTemperature() throws Exception {
        PrinterStatus reading = read(Tree.object(capture("MOCK-A1"), "pushall", "print"));
        assertThat(reading.status()).isEqualTo(Status.idle);
        assertThat(reading.file()).isNull();
        assertThat(reading.temperatures()).containsOnlyKeys("nozzle", "bed");
        assertThat(reading.filamentSlots().getFirst()).isEqualTo(new FilamentSlot(0, 0, true, "PLA", "#76D9F4FF"));
    }

    @Test
    void x1cReportsAllUnitsAfterItsPrint() throws Exception {
        PrinterStatus reading = read(Tree.object(capture("MOCK-X1CMULTIAMS"), "pushall", "print"));
        assertThat(reading.status()).as("its Developer Mode is off").isEqualTo(Status.error);
        assertThat(reading.ending()).isEqualTo(Ending.COMPLETED);
        assertThat(Objects.requireNonNull(reading.file()).currentLayer()).isEqualTo(480);
        assertThat(reading.filamentSlots())
                .contains(new FilamentSlot(2, 0, false, null, null))
                .filteredOn(FilamentSlot::loaded)
                .hasSize(12);
    }

    @Test
    void p1pReportsAFailedPrint() throws Exception {
        PrinterStatus reading = read(Tree.object(capture("P1P"), "push_all"));
        assertThat(reading.status()).isEqualTo(Status.failed);
        assertThat(reading.ending()).isEqualTo(Ending.FAILED);
        assertThat(reading.errors()).isEmpty();
    }

    private static PrinterStatus read(Map<String, Object> print) {
        assertThat(BambuLabState.isFullReport(print)).isTrue();
        return BambuLabStatusParser.parse(BambuLabState.empty().merge(print), null, false);
    }

    private static Map<String, Object> capture(String printer) throws Exception {
        Path capture =
                Path.of(System.getProperty("corpus", ""), "printers", "vendorA", "habambulab_" + printer + ".json");
        assumeThat(capture).as("real reports, by -Dcorpus").exists();
        return Json.tree(Files.readString(capture));
    }
}
