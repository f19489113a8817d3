package farm.gantry.edge.provider.klipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.json.Json;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KlipperStatusParserTest {
    private static final String LOST = "Lost communication with MCU 'mcu'";
    private static final String FAULTY = "Option 'pin' must be specified";
    private static final Map<String, Object> READY = webhooks("ready", "Printer is ready");
    private static final Map<String, Object> SHUTDOWN = webhooks("shutdown", "Lost communication with MCU 'mcu'\nmore");
    private static final Map<String, Object> ERROR = webhooks("error", "Option 'pin' must be specified\n\nmore");
    private static final Map<String, Object> STARTUP = webhooks("startup", "Printer is not ready");

    static Stream<Arguments> table() {
        return Stream.of(
                // Klipper is ready: the print determines the status
                arguments(READY, print("standby", 0), Status.idle, null, null),
                arguments(READY, print("printing", 0), Status.preparing, null, null),
                arguments(READY, print("printing", 0.5), Status.printing, null, null),
                arguments(READY, print("paused", 0), Status.paused, null, null),
                arguments(READY, print("paused", 60), Status.paused, null, null),
                arguments(READY, print("complete", 60), Status.finished, Ending.COMPLETED, null),
                arguments(READY, print("cancelled", 60), Status.cancelled, Ending.CANCELLED, null),
                arguments(READY, print("error", 60), Status.failed, Ending.FAILED, null),
                arguments(READY, print("dancing", 60), Status.unknown, null, null),
                arguments(READY, Map.of(), Status.unknown, null, null),
                // Klipper is shut down: a running print has failed
                arguments(SHUTDOWN, print("printing", 0), Status.error, Ending.FAILED, LOST),
                arguments(SHUTDOWN, print("printing", 60), Status.error, Ending.FAILED, LOST),
                arguments(SHUTDOWN, print("paused", 60), Status.error, Ending.FAILED, LOST),
                arguments(SHUTDOWN, print("standby", 0), Status.error, null, LOST),
                arguments(SHUTDOWN, print("complete", 60), Status.error, Ending.COMPLETED, LOST),
                arguments(webhooks("shutdown", ""), print("standby", 0), Status.error, null, "in state shutdown"),
                arguments(ERROR, print("printing", 60), Status.error, Ending.FAILED, FAULTY),
                arguments(ERROR, print("standby", 0), Status.error, null, FAULTY),
                arguments(ERROR, Map.of(), Status.error, null, FAULTY),
                // Klipper is starting
                arguments(STARTUP, print("standby", 0), Status.unknown, null, null),
                arguments(STARTUP, print("printing", 60), Status.unknown, null, null),
                arguments(STARTUP, Map.of(), Status.unknown, null, null));
    }

    @ParameterizedTest
    @MethodSource("table")
    void klipperAndPrintStatesAreMappedToAStatus(
            Map<String, Object> webhooks,
            Map<String, Object> print,
            Status status,
            @Nullable Ending ending,
            @Nullable String fault) {
        PrinterStatus reading = KlipperStatusParser.parse(
                KlipperState.empty().merge(Map.of("webhooks", webhooks, "print_stats", print)));
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        if (fault == null) {
            assertThat(reading.errors()).isEmpty();
        } else {
            assertThat(reading.errors()).singleElement().satisfies(error -> {
                assertThat(error.code()).isEqualTo("klippy_" + webhooks.get("state"));
                assertThat(error.message()).endsWith(fault);
            });
        }
    }

    private static Map<String, Object> webhooks(String state, String message) {
        return Map.of("state", state, "state_message", message);
    }

    private static Map<String, Object> print(String state, double duration) {
        return Map.of("state", state, "filename", "a.gcode", "print_duration", duration);
    }

    @Test
    void scriptWithoutAPrintKeepsThePrinterBusy() throws Exception {
        PrinterStatus scripting = read("""
                {"webhooks": {"state": "ready"}, "idle_timeout": {"state": "Printing"},
                 "print_stats": {"state": "standby", "filename": "a.gcode"}}""");
        assertThat(scripting.status()).isEqualTo(Status.preparing);
        assertThat(scripting.file()).isNull();
        assertThat(scripting.isStartable()).isFalse();
        for (String state : List.of("Ready", "Idle")) {
            PrinterStatus resting = read("""
                    {"webhooks": {"state": "ready"}, "idle_timeout": {"state": "%s"},
                     "print_stats": {"state": "standby", "filename": ""}}""".formatted(state));
            assertThat(resting.status()).isEqualTo(Status.idle);
        }
    }

    /** Moving the head after a print does not use the bed. */
    @Test
    void endedPrintStaysEndedWhileAScriptRuns() throws Exception {
        KlipperState moved = klipper("""
                {"webhooks": {"state": "ready"}, "idle_timeout": {"state": "Printing"},
                 "print_stats": {"state": "complete", "filename": "a.gcode"}}""");
        assertThat(moved.isScriptRunning()).isTrue();
        assertThat(KlipperStatusParser.parse(moved).status()).isEqualTo(Status.finished);
        assertThat(KlipperStatusParser.parse(moved).fileName()).isEqualTo("a.gcode");
        KlipperState printing = moved.merge(Json.tree("{\"print_stats\": {\"state\": \"printing\"}}"));
        assertThat(printing.isScriptRunning()).isFalse();
        assertThat(KlipperStatusParser.parse(printing).fileName()).isEqualTo("a.gcode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"standby", "complete"})
    void scriptThatExtrudesWhileMovingIsReportedAsAPrint(String state) throws Exception {
        KlipperState script = klipper("""
                {"webhooks": {"state": "ready"}, "idle_timeout": {"state": "Printing"},
                 "print_stats": {"state": "%s", "filename": "a.gcode"},
                 "toolhead": {"extruder": "extruder"}, "motion_report": {"live_position": [1, 1, 5, 7]}}""".formatted(state));
        assertThat(at(script, 1, 1, 207).isStreaming())
                .as("loaded at one place")
                .isFalse();
        KlipperState line = at(at(script, 40, 1, 19), 40, 1, 14);
        assertThat(at(line, 80, 1, 26).isStreaming()).as("a purge line").isFalse();
        KlipperState print = at(line, 50, 9, 28);
        PrinterStatus reading = KlipperStatusParser.parse(print);
        assertThat(reading.status()).isEqualTo(Status.printing);
        assertThat(reading.ending()).isNull();
        assertThat(reading.fileName()).isEqualTo("G-code of another host");
        KlipperState over = print.merge(Json.tree("{\"idle_timeout\": {\"state\": \"Ready\"}}"));
        assertThat(KlipperStatusParser.parse(over).status().isBusy()).isFalse();
        assertThat(at(over, 1, 1, 90).isStreaming()).isFalse();
        KlipperState tool = line.merge(
                Json.tree(
                        "{\"toolhead\": {\"extruder\": \"extruder1\"}, \"motion_report\": {\"live_position\": [9, 9, 5, 400]}}"));
        assertThat(tool.isStreaming()).as("another tool, of other filament").isFalse();
    }

    private static KlipperState at(KlipperState before, int x, int y, int filament) {
        return before.merge(Map.of("motion_report", Map.of("live_position", List.of(x, y, 5, filament))));
    }

    @Test
    void extrusionDuringAFilePrintBelongsToThatFile() throws Exception {
        KlipperState printing = klipper("""
                {"webhooks": {"state": "ready"}, "idle_timeout": {"state": "Printing"},
                 "print_stats": {"state": "printing", "filename": "a.gcode", "print_duration": 5},
                 "toolhead": {"extruder": "extruder"}, "motion_report": {"live_position": [1, 1, 5, 7]}}""");
        assertThat(KlipperStatusParser.parse(at(printing, 9, 9, 500)).fileName())
                .isEqualTo("a.gcode");
    }

    @Test
    void klippersReasonForAFailureIsReported() throws Exception {
        PrinterStatus reading = read("""
                {"webhooks": {"state": "ready"},
                 "print_stats": {"state": "error", "filename": "a.gcode", "message": "Move out of range"}}""");
        assertThat(reading.message()).isEqualTo("Move out of range");
    }

    @Test
    void displayProgressOfTheLastPrintIsNotUsedForTheNext() throws Exception {
        KlipperState over = klipper("""
                {"webhooks": {"state": "ready"}, "display_status": {"progress": 1.0}, "virtual_sdcard": {"progress": 1.0},
                 "print_stats": {"state": "complete", "filename": "a.gcode", "print_duration": 60}}""");
        KlipperState begun = over.merge(Json.tree("""
                {"print_stats": {"state": "printing", "filename": "b.gcode", "print_duration": 0},
                 "virtual_sdcard": {"progress": 0.01}}""")).withMetadata(Map.of("estimated_time", 600));
        assertThat(KlipperStatusParser.parse(begun).file()).satisfies(file -> {
            assertThat(file.percent()).isZero();
            assertThat(file.remainingSeconds()).isNull();
        });
        KlipperState printing = begun.merge(Json.tree("""
                {"print_stats": {"print_duration": 6}, "virtual_sdcard": {"progress": 0.02}}"""));
        assertThat(KlipperStatusParser.parse(printing).file()).satisfies(file -> {
            assertThat(file.percent()).isEqualTo(2);
            assertThat(file.remainingSeconds()).isEqualTo(594);
        });
        KlipperState announced = printing.merge(Json.tree("{\"display_status\": {\"progress\": 0.05}}"));
        assertThat(KlipperStatusParser.parse(announced).file())
                .satisfies(file -> assertThat(file.percent()).isEqualTo(5));
        KlipperState resumed = announced
                .merge(Json.tree("{\"print_stats\": {\"state\": \"paused\"}}"))
                .merge(Json.tree("{\"print_stats\": {\"state\": \"printing\"}}"));
        assertThat(KlipperStatusParser.parse(resumed).file())
                .satisfies(file -> assertThat(file.percent()).isEqualTo(5));
    }

    @Test
    void layerCountIsDerivedFromHeightsWithoutSlicerLayers() throws Exception {
        KlipperState printing = klipper("""
                {"webhooks": {"state": "ready"}, "gcode_move": {"gcode_position": [1, 2, 0.6, 0]},
                 "print_stats": {"state": "printing", "filename": "a.gcode", "print_duration": 60}}""")
                .withMetadata(Map.of("object_height", 20.3, "layer_height", 0.2, "first_layer_height", 0.3));
        assertThat(KlipperStatusParser.parse(printing).file()).satisfies(file -> {
            assertThat(file.totalLayers()).isEqualTo(101);
            assertThat(file.currentLayer()).isEqualTo(3);
        });
    }

    @Test
    void klipperShutdownDuringAPausedPrintIsReportedAsAFailure() throws Exception {
        PrinterStatus reading = read("""
                {"webhooks": {"state": "shutdown", "state_message": "MCU 'mcu' shutdown: Timer too close\\nmore"},
                 "print_stats": {"state": "paused", "filename": "a.gcode", "print_duration": 5.0}}""");
        assertThat(reading.status()).isEqualTo(Status.error);
        assertThat(reading.ending()).isEqualTo(Ending.FAILED);
        assertThat(reading.errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).isEqualTo("MCU 'mcu' shutdown: Timer too close"));
    }

    @Test
    void currentLayerIsDerivedFromTheHeightWithoutSlicerLayers() throws Exception {
        PrinterStatus reading = KlipperStatusParser.parse(
                klipper("""
                        {"webhooks": {"state": "ready"}, "gcode_move": {"gcode_position": [0, 0, 0.6, 0]},
                         "virtual_sdcard": {"progress": 0.25},
                         "print_stats": {"state": "printing", "filename": "a.gcode", "print_duration": 30.0}}""").withMetadata(Map.of("layer_count", 12, "layer_height", 0.2, "estimated_time", 100)));
        PrinterStatus.File file = Objects.requireNonNull(reading.file());
        assertThat(file.currentLayer()).isEqualTo(3);
        assertThat(file.totalLayers()).isEqualTo(12);
        assertThat(file.remainingSeconds()).isEqualTo(70);
        assertThat(file.percent()).isEqualTo(25);
    }

    @Test
    void gatesOfAMultiMaterialUnitAreFilamentSlots() throws Exception {
        PrinterStatus reading = read("""
                {"webhooks": {"state": "ready"}, "print_stats": {"state": "standby"},
                 "mmu": {"gate_status": [1, 0], "gate_material": ["PLA", ""], "gate_color": ["ff0000", ""]}}""");
        assertThat(reading.filamentSlots())
                .containsExactly(
                        new FilamentSlot(0, 0, true, "PLA", "#ff0000"), new FilamentSlot(0, 1, false, null, null));
    }

    private static PrinterStatus read(String objects) throws Exception {
        return KlipperStatusParser.parse(klipper(objects));
    }

    private static KlipperState klipper(String objects) throws Exception {
        return KlipperState.empty().merge(Json.tree(objects));
    }
}
