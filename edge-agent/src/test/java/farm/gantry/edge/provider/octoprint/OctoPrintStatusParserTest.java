package farm.gantry.edge.provider.octoprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OctoPrintStatusParserTest {
    private static final int WARM = 214;
    private static final int COLD = 40;
    private static final Map<String, Object> NONE = Map.of();
    private static final PrinterStatus PRINTING = reading(printer(WARM, "printing"), job("a.gcode", 55), null);
    private static final PrinterStatus FINISHED = reading(printer(WARM, "ready"), job("a.gcode", 100), PRINTING);
    private static final PrinterStatus CANCELLED = reading(printer(WARM, "ready"), job("a.gcode", null), PRINTING);

    static Stream<Arguments> table() {
        return Stream.of(
                // by flag; printing may be set together with others
                arguments(printer(WARM, "printing"), job("a.gcode", 7), null, Status.printing, null, "a.gcode"),
                arguments(printer(COLD, "printing"), job("a.gcode", 7), null, Status.preparing, null, "a.gcode"),
                arguments(printer(COLD, "printing"), job("a.gcode", 70), null, Status.printing, null, "a.gcode"),
                arguments(
                        printer(WARM, "printing", "finishing"),
                        job("a.gcode", 99),
                        null,
                        Status.printing,
                        null,
                        "a.gcode"),
                arguments(
                        printer(WARM, "printing", "cancelling"),
                        job("a.gcode", 7),
                        null,
                        Status.printing,
                        null,
                        "a.gcode"),
                arguments(
                        printer(WARM, "printing", "resuming"),
                        job("a.gcode", 7),
                        null,
                        Status.printing,
                        null,
                        "a.gcode"),
                arguments(
                        printer(WARM, "printing", "pausing"), job("a.gcode", 7), null, Status.paused, null, "a.gcode"),
                arguments(printer(WARM, "paused"), job("a.gcode", 7), null, Status.paused, null, "a.gcode"),
                arguments(printer(WARM, "error"), job(null, null), null, Status.error, null, ""),
                arguments(printer(WARM), job("a.gcode", 7), null, Status.unknown, null, ""),
                arguments(printer(WARM), job("a.gcode", 7), PRINTING, Status.unknown, null, "a.gcode"),
                // idle, by the selected file and the previous status
                arguments(printer(WARM, "ready"), job(null, null), null, Status.idle, null, ""),
                arguments(printer(WARM, "ready"), job("a.gcode", null), null, Status.idle, null, ""),
                arguments(
                        printer(WARM, "ready"),
                        job("a.gcode", 100),
                        null,
                        Status.finished,
                        Ending.COMPLETED,
                        "a.gcode"),
                arguments(
                        printer(WARM, "ready"),
                        job("a.gcode", 100),
                        PRINTING,
                        Status.finished,
                        Ending.COMPLETED,
                        "a.gcode"),
                arguments(
                        printer(WARM, "ready"),
                        job("a.gcode", null),
                        PRINTING,
                        Status.cancelled,
                        Ending.CANCELLED,
                        "a.gcode"),
                arguments(
                        printer(WARM, "ready"),
                        job("a.gcode", null),
                        CANCELLED,
                        Status.cancelled,
                        Ending.CANCELLED,
                        "a.gcode"),
                arguments(
                        printer(WARM, "ready"),
                        job("a.gcode", null),
                        FINISHED,
                        Status.idle,
                        Ending.COMPLETED,
                        "a.gcode"),
                arguments(printer(WARM, "ready"), job("b.gcode", null), PRINTING, Status.idle, null, ""),
                arguments(printer(WARM, "ready"), job(null, null), PRINTING, Status.idle, null, ""),
                // OctoPrint has lost the printer because of an error
                arguments(NONE, state("Offline after error"), PRINTING, Status.error, Ending.FAILED, "a.gcode"),
                arguments(NONE, state("Error"), FINISHED, Status.error, Ending.COMPLETED, "a.gcode"),
                arguments(NONE, state("Offline (Error: no response)"), null, Status.error, null, ""));
    }

    @ParameterizedTest
    @MethodSource("table")
    void flagsAreMappedToStatusAndEnding(
            Map<String, Object> printer,
            Map<String, Object> job,
            @Nullable PrinterStatus before,
            Status status,
            @Nullable Ending ending,
            String shown) {
        PrinterStatus reading = reading(printer, job, before);
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        assertThat(reading.fileName()).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Offline", "Connecting", "Opening serial connection", "Detecting serial connection"})
    void printerUnreachableByOctoPrintIsOfflineWithTheReason(String text) {
        assertThatThrownBy(() -> OctoPrintStatusParser.parse(NONE, state(text), PRINTING))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(text);
        assertThatThrownBy(() -> OctoPrintStatusParser.parse(printer(WARM, "closedOrError"), state(text), PRINTING))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void errorIsReportedWithOctoPrintsText() {
        Map<String, Object> job = Map.of("state", "Offline after error", "error", "MINTEMP triggered");
        assertThat(reading(NONE, job, PRINTING).errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).isEqualTo("Offline after error: MINTEMP triggered"));
    }

    @Test
    void heatersAreReportedUnderTheFarmsNames() {
        Map<String, Object> heaters = Map.of(
                "tool0", heater(214.9),
                "tool1", heater(23.5),
                "bed", heater(60.0),
                "chamber", Map.of("target", 0));
        Map<String, Object> reported = Map.of("state", flags("ready"), "temperature", heaters);
        assertThat(reading(reported, job(null, null), null).temperatures())
                .isEqualTo(Map.of(
                        "nozzle", new Temperature(214.9, 215),
                        "nozzle1", new Temperature(23.5, 215),
                        "bed", new Temperature(60, 215)));
    }

    @Test
    void printReportsItsProgressAndAFinishedOneHasNoTimeLeft() {
        assertThat(PRINTING.file()).isEqualTo(new PrinterStatus.File("a.gcode", 55, null, null, 1_200L, 980L, null));
        assertThat(FINISHED.file()).isEqualTo(new PrinterStatus.File("a.gcode", 100, null, null, 1_200L, null, null));
    }

    private static PrinterStatus reading(
            Map<String, Object> printer, Map<String, Object> job, @Nullable PrinterStatus before) {
        try {
            return OctoPrintStatusParser.parse(printer, job, before);
        } catch (Refusal e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, Object> printer(int temperature, String... up) {
        return Map.of("state", flags(up), "temperature", Map.of("tool0", heater(temperature)));
    }

    private static Map<String, Object> flags(String... up) {
        return Map.of("flags", Arrays.stream(up).collect(Collectors.toMap(flag -> flag, _ -> true)));
    }

    private static Map<String, Object> heater(double actual) {
        return Map.of("actual", actual, "target", 215);
    }

    private static Map<String, Object> state(String text) {
        return Map.of("state", text);
    }

    private static Map<String, Object> job(@Nullable String name, @Nullable Integer completion) {
        Map<String, Object> file = name == null ? Map.of() : Map.of("name", "cleaned", "display", name);
        Map<String, Object> progress = completion == null
                ? Map.of()
                : Map.of("completion", completion, "printTime", 1_200, "printTimeLeft", 980);
        return Map.of("job", Map.of("file", file), "progress", progress, "state", "whatever");
    }
}
