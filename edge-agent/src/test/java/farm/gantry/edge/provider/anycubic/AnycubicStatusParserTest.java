package farm.gantry.edge.provider.anycubic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnycubicStatusParserTest {

    static Stream<Arguments> table() {
        return Stream.of(
                arguments("free", "", 0, Status.idle, null, ""),
                arguments("idle", "", 0, Status.idle, null, ""),
                arguments("free", "finished", 0, Status.finished, Ending.COMPLETED, "a"),
                arguments("free", "stoped", 0, Status.cancelled, Ending.CANCELLED, "a"),
                arguments("free", "failed", 0, Status.failed, Ending.FAILED, "a"),
                arguments("free", "printing", 0, Status.idle, null, ""),
                arguments("busy", "preheating", 0, Status.preparing, null, "a"),
                arguments("busy", "auto_leveling", 0, Status.preparing, null, "a"),
                arguments("busy", "vibrating", 0, Status.preparing, null, "a"),
                arguments("busy", "flow_calibrating", 0, Status.preparing, null, "a"),
                arguments("busy", "printing", 0, Status.printing, null, "a"),
                arguments("busy", "resuming", 3, Status.printing, null, "a"),
                arguments("busy", "resumed", 0, Status.printing, null, "a"),
                arguments("busy", "updated", 0, Status.printing, null, "a"),
                arguments("busy", "stopping", 4, Status.printing, null, "a"),
                arguments("busy", "pausing", 2, Status.paused, null, "a"),
                arguments("busy", "paused", 1, Status.paused, null, "a"),
                arguments("busy", "printing", 1, Status.paused, null, "a"),
                arguments("busy", "updated", 2, Status.paused, null, "a"),
                arguments("busy", "stoped", 0, Status.cancelled, Ending.CANCELLED, "a"),
                arguments("busy", "stopped", 0, Status.cancelled, Ending.CANCELLED, "a"),
                arguments("busy", "finished", 0, Status.finished, Ending.COMPLETED, "a"),
                arguments("busy", "failed", 0, Status.failed, Ending.FAILED, "a"),
                arguments("busy", "", 0, Status.unknown, null, "a"),
                arguments("whatever comes", "whatever", 0, Status.unknown, null, "a"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void printerStateIsMappedToStatusAndEnding(
            String state, String job, int pause, Status status, @Nullable Ending ending, String file) {
        PrinterStatus reading = read(null, false, reported(state, job, pause));
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        assertThat(reading.fileName()).isEqualTo(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy", "", "whatever comes"})
    void busyPrinterDoesNotShowTheEndOfItsLastPrint(String state) {
        Map<String, Object> last = Map.of("state", "finished", "filename", "/gcodes/a");
        PrinterStatus reading =
                read(null, false, new AnycubicState(Map.of("state", state, "last_project", last), Map.of(), null));
        assertThat(reading.status()).isEqualTo(Status.unknown);
        assertThat(reading.isStartable()).isFalse();
    }

    @Test
    void reportedEndStaysWhenThePrinterNoLongerShowsIt() {
        PrinterStatus finished = read(null, false, reported("free", "finished", 0));
        PrinterStatus after = read(finished, false, new AnycubicState(Map.of("state", "free"), Map.of(), null));
        assertThat(after.ending()).isEqualTo(Ending.COMPLETED);
        assertThat(after.fileName()).isEqualTo("a");
    }

    @Test
    void printMissingFromAReportIsCancelledOnlyAfterACancel() {
        PrinterStatus printing = read(null, false, reported("busy", "printing", 0));
        AnycubicState free = new AnycubicState(Map.of("state", "free"), Map.of(), null);
        assertThat(read(printing, true, free).ending()).isEqualTo(Ending.CANCELLED);
        assertThat(read(printing, false, free).fileName()).isEmpty();
    }

    @Test
    void printReportMakesThePrinterBusyBeforeTheNextQuery() {
        AnycubicState before = reported("free", "finished", 0);
        AnycubicState after =
                before.withJobReport(Map.of("state", "preheating", "data", Map.of("filename", "b", "progress", 0)));
        assertThat(read(null, false, after)).satisfies(reading -> {
            assertThat(reading.status()).isEqualTo(Status.preparing);
            assertThat(reading.fileName()).isEqualTo("b");
        });
        AnycubicState ended = after.withJobReport(Map.of("state", "stoped"));
        assertThat(read(null, false, ended)).satisfies(reading -> {
            assertThat(reading.ending()).isEqualTo(Ending.CANCELLED);
            assertThat(reading.fileName()).isEqualTo("b");
        });
    }

    @Test
    void commandReportDoesNotChangeThePrintState() {
        AnycubicState free = reported("free", "finished", 0);
        for (String state : List.of("done", "failed", "updated", "printing")) {
            assertThat(free.withJobReport(Map.of("state", state))).isEqualTo(free);
        }
        assertThat(free.withJobReport(Map.of("state", "failed", "data", Map.of("filename", "b"))))
                .isEqualTo(free);
    }

    @Test
    void temperatureOnlyReportChangesNothingElse() {
        AnycubicState reported = reported("busy", "printing", 0)
                .withTemperatures(Map.of("curr_nozzle_temp", 205, "target_nozzle_temp", 210, "curr_chamber_temp", 0))
                .withTemperatures(Map.of("curr_nozzle_temp", 206, "curr_hotbed_temp", 60));
        PrinterStatus reading = read(null, false, reported);
        assertThat(reading.temperatures())
                .isEqualTo(Map.of("nozzle", new Temperature(206, 210), "bed", new Temperature(60, 0)));
        assertThat(reading.status()).isEqualTo(Status.printing);
        assertThat(read(null, false, reported.withTemperatures(Map.of("curr_chamber_temp", 43)))
                        .temperatures())
                .containsEntry("chamber", new Temperature(43, 0));
    }

    @Test
    void slotsAreMergedByBoxAndIndex() {
        AnycubicState reported = AnycubicState.empty()
                .withBoxes(boxes(1, Map.of("index", 0, "type", "ABS", "color", List.of(1, 2, 255))))
                .withBoxes(boxes(
                        0,
                        Map.of("index", 1, "type", "PLA", "color", List.of(33, 39, 33)),
                        Map.of("index", 0, "type", "")))
                .withBoxes(boxes(0, Map.of("index", 1, "status", 4)))
                .withBoxes(boxes(0));
        assertThat(read(null, false, reported).filamentSlots())
                .containsExactly(
                        new FilamentSlot(0, 0, false, null, null),
                        new FilamentSlot(0, 1, true, "PLA", "#212721"),
                        new FilamentSlot(1, 0, true, "ABS", "#0102FF"));
    }

    @Test
    void errorCodeIsReportedUntilItIsCleared() {
        Map<String, Object> report = new HashMap<>(Map.of("data", Map.of("state", "free")));
        report.put("code", 10_501);
        report.put("msg", "runout");
        assertThat(read(null, false, AnycubicState.empty().withFullReport(report))
                        .errors())
                .containsExactly(new Fault("10501", "the printer reports runout"));
        report.put("code", 200);
        assertThat(read(null, false, AnycubicState.empty().withFullReport(report))
                        .errors())
                .isEmpty();
    }

    private static Map<String, Object> boxes(int id, Object... slots) {
        return Map.of("multi_color_box", List.of(Map.of("id", id, "slots", List.of(slots))));
    }

    private static PrinterStatus read(@Nullable PrinterStatus before, boolean stopping, AnycubicState reported) {
        return AnycubicStatusParser.parse(reported, before, stopping);
    }

    private static AnycubicState reported(String state, String job, int pause) {
        Map<String, Object> project = Map.of("state", job, "filename", "/gcodes/a", "pause", pause, "progress", 7);
        return new AnycubicState(
                Map.of(
                        "state",
                        state,
                        state.equals("busy") || state.startsWith("what") ? "project" : "last_project",
                        project),
                Map.of(),
                null);
    }
}
