package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.job.PrintJob;
import farm.gantry.wire.Command;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrintProjectCommandTest {
    private static final PrinterBindings USUAL = new PrinterBindings(Map.of());

    @Test
    void commandContainsTheFileNameAndATaskNumber() {
        Map<String, Object> message = message(null, null, null, true);
        assertThat(message)
                .containsEntry("command", "project_file")
                .containsEntry("param", "Metadata/plate_1.gcode")
                .containsEntry("url", "ftp://gantry-j1-1-cube.gcode.3mf")
                .containsEntry("file", "gantry-j1-1-cube.gcode.3mf")
                .containsEntry("subtask_name", "gantry-j1-1-cube.gcode")
                .containsEntry("bed_type", "auto")
                .containsEntry("use_ams", true)
                .containsEntry("bed_leveling", true)
                .containsEntry("flow_cali", false)
                .containsEntry("timelapse", false)
                .doesNotContainKey("ams_mapping");
        assertThat(Long.parseLong(String.valueOf(message.get("task_id")))).isBetween(1L, (long) Integer.MAX_VALUE);
    }

    @Test
    void printOptionsAreSentUnderThePrintersNames() {
        Map<String, Object> chosen = Map.of(
                "use_ams",
                false,
                "bed_type",
                "textured_plate",
                "do_bed_leveling",
                false,
                "do_flow_cali",
                true,
                "enable_timelapse",
                true);
        assertThat(message("Metadata/plate_3.gcode", chosen, null, true))
                .containsEntry("param", "Metadata/plate_3.gcode")
                .containsEntry("use_ams", false)
                .containsEntry("bed_type", "textured_plate")
                .containsEntry("bed_leveling", false)
                .containsEntry("auto_bed_leveling", 0)
                .containsEntry("flow_cali", true)
                .containsEntry("timelapse", true);
    }

    @Test
    void printerSpecificOptionNamesAreUsed() {
        PrinterBindings own = new PrinterBindings(
                Map.of("printOptions", Map.of("do_bed_leveling", Map.of("field", "bed_levelling", "default", false))));
        assertThat(new PrintProjectCommand("a.gcode", null, own).message(true))
                .containsEntry("bed_levelling", false)
                .doesNotContainKey("flow_cali");
    }

    @Test
    void filamentsAreMappedToTheirSlots() {
        Map<String, PrintJob.Slot> places =
                Map.of("0", new PrintJob.Slot(1, 2), "2", new PrintJob.Slot(128, 0), "3", new PrintJob.Slot(255, 0));
        assertThat(message(null, null, places, true))
                .containsEntry("ams_mapping", List.of(6, -1, 128, -1))
                .containsEntry(
                        "ams_mapping2",
                        List.of(
                                Map.of("ams_id", 1, "slot_id", 2),
                                Map.of("ams_id", 255, "slot_id", 255),
                                Map.of("ams_id", 128, "slot_id", 0),
                                Map.of("ams_id", 255, "slot_id", 0)))
                .containsEntry("use_ams", true);
    }

    @Test
    void unitIsNotUsedIfItIsMissingOrTheSpoolIsExternal() {
        Map<String, PrintJob.Slot> beside = Map.of("0", new PrintJob.Slot(255, 0));
        assertThat(message(null, null, beside, true)).containsEntry("use_ams", false);
        assertThat(message(null, null, null, false)).containsEntry("use_ams", false);
    }

    private static Map<String, Object> message(
            @Nullable String plateEntry,
            @Nullable Map<String, Object> options,
            @Nullable Map<String, PrintJob.Slot> places,
            boolean hasUnits) {
        Command.Print print = new Command.Print(
                "j1", 1, "cube.3mf", "http://x", 1, "", 1, plateEntry, 1, options, places, null, null);
        return new PrintProjectCommand("gantry-j1-1-cube.gcode", print, USUAL).message(hasUnits);
    }
}
