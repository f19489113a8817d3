package farm.gantry.edge.provider.prusalink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PrusaLinkStatusParserTest {
    private static final Map<String, Object> WARM = Map.of("temp_nozzle", 214, "target_nozzle", 215);
    private static final Map<String, Object> COLD = Map.of("temp_nozzle", 40, "target_nozzle", 215);
    private static final PrinterStatus PRINTING =
            PrusaLinkStatusParser.parse(status("PRINTING", 55, WARM), "a.gcode", null, false);
    private static final PrinterStatus FINISHED = PrusaLinkStatusParser.parse(idle("FINISHED"), null, PRINTING, false);
    private static final PrinterStatus STOPPED = PrusaLinkStatusParser.parse(idle("STOPPED"), null, PRINTING, false);

    static Stream<Arguments> table() {
        return Stream.of(
                // with a job
                arguments(status("BUSY", 0, COLD), "a.gcode", null, Status.preparing, null, "a.gcode", false),
                arguments(status("PRINTING", 0, COLD), "a.gcode", null, Status.preparing, null, "a.gcode", false),
                arguments(status("PRINTING", 0, WARM), "a.gcode", null, Status.printing, null, "a.gcode", false),
                arguments(status("PRINTING", 7, COLD), "a.gcode", null, Status.printing, null, "a.gcode", false),
                arguments(status("PAUSED", 7, WARM), "a.gcode", null, Status.paused, null, "a.gcode", false),
                arguments(status("ATTENTION", 7, WARM), "a.gcode", null, Status.paused, null, "a.gcode", true),
                arguments(
                        status("FINISHED", 100, WARM),
                        "a.gcode",
                        null,
                        Status.finished,
                        Ending.COMPLETED,
                        "a.gcode",
                        false),
                arguments(
                        status("STOPPED", 7, WARM),
                        "a.gcode",
                        null,
                        Status.cancelled,
                        Ending.CANCELLED,
                        "a.gcode",
                        false),
                arguments(status("ERROR", 7, WARM), "a.gcode", null, Status.error, Ending.FAILED, "a.gcode", true),
                arguments(status("UNKNOWN", 7, WARM), "a.gcode", null, Status.unknown, null, "a.gcode", false),
                // without a job
                arguments(idle("IDLE"), null, null, Status.idle, null, "", false),
                arguments(idle("READY"), null, null, Status.idle, null, "", false),
                arguments(idle("BUSY"), null, null, Status.unknown, null, "", false),
                arguments(idle("ATTENTION"), null, null, Status.error, null, "", true),
                arguments(idle("FINISHED"), null, null, Status.finished, null, "", false),
                arguments(idle("STOPPED"), null, null, Status.cancelled, null, "", false),
                arguments(idle("ERROR"), null, null, Status.error, null, "", true),
                arguments(idle("whatever comes"), null, null, Status.unknown, null, "", false),
                // the job is gone
                arguments(idle("FINISHED"), null, PRINTING, Status.finished, Ending.COMPLETED, "a.gcode", false),
                arguments(idle("STOPPED"), null, PRINTING, Status.cancelled, Ending.CANCELLED, "a.gcode", false),
                arguments(idle("ERROR"), null, PRINTING, Status.error, Ending.FAILED, "a.gcode", true),
                arguments(idle("BUSY"), null, PRINTING, Status.preparing, null, "a.gcode", false),
                arguments(idle("IDLE"), null, PRINTING, Status.idle, null, "", false),
                arguments(idle("IDLE"), null, FINISHED, Status.idle, Ending.COMPLETED, "a.gcode", false),
                arguments(idle("READY"), null, STOPPED, Status.idle, Ending.CANCELLED, "a.gcode", false),
                arguments(idle("BUSY"), null, FINISHED, Status.unknown, Ending.COMPLETED, "a.gcode", false),
                arguments(idle("ERROR"), null, FINISHED, Status.error, Ending.COMPLETED, "a.gcode", true),
                arguments(idle("PRINTING"), null, FINISHED, Status.printing, null, "", false),
                arguments(status("PRINTING", 1, WARM), "b.gcode", FINISHED, Status.printing, null, "b.gcode", false));
    }

    @ParameterizedTest
    @MethodSource("table")
    void printerStateIsMappedToStatusAndEnding(
            Map<String, Object> reported,
            @Nullable String fileName,
            @Nullable PrinterStatus before,
            Status status,
            @Nullable Ending ending,
            String shown,
            boolean fault) {
        PrinterStatus reading = PrusaLinkStatusParser.parse(reported, fileName, before, false);
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        assertThat(reading.fileName()).isEqualTo(shown);
        assertThat(!reading.errors().isEmpty()).isEqualTo(fault);
    }

    @Test
    void printMissingAfterACancelIsReportedAsCancelled() {
        PrinterStatus gone = PrusaLinkStatusParser.parse(idle("IDLE"), null, PRINTING, true);
        assertThat(gone.ending()).isEqualTo(Ending.CANCELLED);
        assertThat(gone.fileName()).isEqualTo("a.gcode");
        assertThat(PrusaLinkStatusParser.parse(idle("FINISHED"), null, PRINTING, true)
                        .ending())
                .as("it was done before it could be cancelled")
                .isEqualTo(Ending.COMPLETED);
        assertThat(PrusaLinkStatusParser.parse(status("PRINTING", 56, WARM), "a.gcode", PRINTING, true)
                        .ending())
                .isNull();
    }

    @Test
    void finishedPrintIsCompleteAndHasNoTimeLeft() {
        assertThat(FINISHED.file()).satisfies(file -> {
            assertThat(file).isNotNull();
            assertThat(file.percent()).isEqualTo(100);
            assertThat(file.elapsedSeconds()).isEqualTo(1_200);
            assertThat(file.remainingSeconds()).isNull();
        });
    }

    @Test
    void endIsForgottenIfSomebodyMayHavePrintedSince() {
        assertThat(PrusaLinkStatusParser.stillValid(FINISHED, Duration.ofSeconds(20)))
                .isEqualTo(FINISHED);
        assertThat(PrusaLinkStatusParser.stillValid(FINISHED, Duration.ofMinutes(5)))
                .isNull();
        assertThat(PrusaLinkStatusParser.stillValid(PRINTING, Duration.ofMinutes(5)))
                .isEqualTo(PRINTING);
    }

    /** A person may have stopped it and printed a shorter file. */
    @Test
    void endIsForgottenIfThePrintShouldHaveRunMuchLonger() {
        Map<String, Object> job = Map.of("id", 42, "progress", 10, "time_printing", 1_200, "time_remaining", 3_600);
        Map<String, Object> reported = Map.of("job", job, "printer", with("PRINTING", WARM));
        PrinterStatus hour = PrusaLinkStatusParser.parse(reported, "a.gcode", null, false);
        assertThat(PrusaLinkStatusParser.stillValid(hour, Duration.ofMinutes(2)))
                .isEqualTo(hour);
        assertThat(PrusaLinkStatusParser.stillValid(hour, Duration.ofMinutes(29)))
                .isNull();
        assertThat(PrusaLinkStatusParser.stillValid(hour, Duration.ofMinutes(30)))
                .isEqualTo(hour);
    }

    @Test
    void dialogCodeIsReportedWithItsError() {
        Map<String, Object> asking = Map.of("printer", Map.of("state", "ATTENTION"), "dialog", Map.of("code", 13_108));
        assertThat(PrusaLinkStatusParser.parse(asking, "a.gcode", null, false).errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.code()).isEqualTo("13108"));
    }

    @Test
    void filesAreStoredOnTheWritableStorage() throws Exception {
        Map<String, Object> usb = Map.of("path", "/usb/", "read_only", false);
        Map<String, Object> card = Map.of("path", "/sdcard", "read_only", true);
        Map<String, Object> local = Map.of("path", "/local", "read_only", false);
        assertThat(PrusaLinkStorage.parse(Map.of("storage", usb)))
                .isEqualTo(new PrusaLinkStorage("usb"))
                .extracting(PrusaLinkStorage::contentType)
                .isEqualTo("application/octet-stream");
        assertThat(PrusaLinkStorage.parse(Map.of("storage", List.of(card, local))))
                .isEqualTo(new PrusaLinkStorage("local"))
                .extracting(PrusaLinkStorage::contentType)
                .isEqualTo("text/x.gcode");
    }

    private static Map<String, Object> status(String state, int progress, Map<String, Object> heaters) {
        Map<String, Object> job = Map.of("id", 42, "progress", progress, "time_printing", 1_200);
        return Map.of("job", job, "printer", with(state, heaters));
    }

    private static Map<String, Object> idle(String state) {
        return Map.of("printer", with(state, WARM));
    }

    private static Map<String, Object> with(String state, Map<String, Object> heaters) {
        return Map.of(
                "state",
                state,
                "temp_nozzle",
                heaters.getOrDefault("temp_nozzle", 0),
                "target_nozzle",
                heaters.getOrDefault("target_nozzle", 0));
    }
}
