package farm.gantry.edge.provider.firmwarek;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.json.Json;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Reading.Ending;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReadingsTest {

    @Test
    void aShutdownInTheMiddleOfAPrintIsAFailureThoughPrintStatsSaysPaused() throws Exception {
        Reading reading = read("""
                {"webhooks": {"state": "shutdown", "state_message": "MCU 'mcu' shutdown: Timer too close\\nmore"},
                 "print_stats": {"state": "paused", "filename": "a.gcode", "print_duration": 5.0}}""");
        assertThat(reading.status()).isEqualTo(Status.failed);
        assertThat(reading.ending()).isEqualTo(Ending.failed);
        assertThat(reading.errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).isEqualTo("MCU 'mcu' shutdown: Timer too close"));
    }

    @Test
    void aShutdownOfAnIdlePrinterIsUnknownWithAFault() throws Exception {
        Reading reading = read("{\"webhooks\": {\"state\": \"shutdown\"}, \"print_stats\": {\"state\": \"standby\"}}");
        assertThat(reading.status()).isEqualTo(Status.unknown);
        assertThat(reading.errors()).hasSize(1);
    }

    @Test
    void layersComeFromTheHeightWhereTheSlicerIsSilent() throws Exception {
        Reading reading =
                Readings.of(klipper("""
                        {"webhooks": {"state": "ready"}, "gcode_move": {"gcode_position": [0, 0, 0.6, 0]},
                         "virtual_sdcard": {"progress": 0.25},
                         "print_stats": {"state": "printing", "filename": "a.gcode", "print_duration": 30.0}}""").about(Map.of("layer_count", 12, "layer_height", 0.2, "estimated_time", 100)));
        Reading.File file = Objects.requireNonNull(reading.file());
        assertThat(file.currentLayer()).isEqualTo(3);
        assertThat(file.totalLayers()).isEqualTo(12);
        assertThat(file.remainingSeconds()).isEqualTo(70);
        assertThat(file.percent()).isEqualTo(25);
    }

    @Test
    void aPrintThatStillHeatsIsPreparing() throws Exception {
        Reading reading = read("""
                {"webhooks": {"state": "ready"},
                 "print_stats": {"state": "printing", "filename": "a.gcode", "print_duration": 0.0}}""");
        assertThat(reading.status()).isEqualTo(Status.preparing);
    }

    @Test
    void theGatesOfAMultiMaterialUnitAreSlots() throws Exception {
        Reading reading = read("""
                {"webhooks": {"state": "ready"}, "print_stats": {"state": "standby"},
                 "mmu": {"gate_status": [1, 0], "gate_material": ["PLA", ""], "gate_color": ["ff0000", ""]}}""");
        assertThat(reading.filamentSlots())
                .containsExactly(
                        new FilamentSlot(0, 0, true, "PLA", "#ff0000"), new FilamentSlot(0, 1, false, null, null));
    }

    private static Reading read(String objects) throws Exception {
        return Readings.of(klipper(objects));
    }

    private static Klipper klipper(String objects) throws Exception {
        return Klipper.empty().merge(Json.tree(objects));
    }
}
