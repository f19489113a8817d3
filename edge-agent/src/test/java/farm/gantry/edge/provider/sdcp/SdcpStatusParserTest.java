package farm.gantry.edge.provider.sdcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SdcpStatusParserTest {
    private static final List<Integer> IDLE = List.of(0);
    private static final List<Integer> AT_IT = List.of(1);
    private static final PrinterStatus PRINTING = SdcpStatusParser.parse(status(AT_IT, 13, 7, "a.gcode"), null);
    private static final PrinterStatus FINISHED = SdcpStatusParser.parse(status(IDLE, 9, 0, "a.gcode"), PRINTING);

    static Stream<Arguments> codes() {
        return Stream.of(
                        codes(Status.preparing, null, 0, 1, 10, 11, 15, 16, 17, 18, 19, 20, 21, 22),
                        codes(Status.printing, null, 2, 3, 4, 7, 12, 13),
                        codes(Status.paused, null, 5, 6),
                        codes(Status.cancelled, Ending.CANCELLED, 8),
                        codes(Status.finished, Ending.COMPLETED, 9),
                        codes(Status.failed, Ending.FAILED, 14),
                        codes(Status.unknown, null, 23, 99))
                .flatMap(codes -> codes);
    }

    private static Stream<Arguments> codes(Status status, @Nullable Ending ending, int... codes) {
        return IntStream.of(codes).mapToObj(code -> arguments(code, status, ending));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void printCodeIsMappedToStatusAndEnding(int code, Status status, @Nullable Ending ending) {
        PrinterStatus reading = SdcpStatusParser.parse(status(AT_IT, code, 0, "a.gcode"), null);
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        assertThat(reading.fileName()).isEqualTo("a.gcode");
    }

    static Stream<Arguments> table() {
        return Stream.of(
                // the code stays at an early stage while layers are counted
                arguments(AT_IT, 20, 3, "a.gcode", null, Status.printing, null, "a.gcode"),
                arguments(AT_IT, 18, 1, "a.gcode", null, Status.printing, null, "a.gcode"),
                arguments(AT_IT, 6, 3, "a.gcode", null, Status.paused, null, "a.gcode"),
                // idle: only an end counts
                arguments(IDLE, 0, 0, "", null, Status.idle, null, ""),
                arguments(IDLE, 13, 3, "a.gcode", null, Status.idle, null, "a.gcode"),
                arguments(IDLE, 9, 0, "a.gcode", null, Status.finished, Ending.COMPLETED, "a.gcode"),
                arguments(IDLE, 8, 0, "a.gcode", null, Status.cancelled, Ending.CANCELLED, "a.gcode"),
                arguments(IDLE, 14, 0, "a.gcode", null, Status.failed, Ending.FAILED, "a.gcode"),
                arguments(0, 9, 0, "/local/a.gcode", null, Status.finished, Ending.COMPLETED, "a.gcode"),
                arguments(List.of(), 0, 0, "", null, Status.idle, null, ""),
                // an invalid machine state is unknown
                arguments("busy", 0, 0, "", null, Status.unknown, null, ""),
                arguments(List.of("busy"), 9, 0, "a.gcode", null, Status.unknown, null, "a.gcode"),
                arguments(Map.of(), 0, 0, "", FINISHED, Status.unknown, null, ""),
                // receiving a file, and verifying it
                arguments(List.of(2), 0, 0, "", null, Status.idle, null, ""),
                arguments(List.of(8), 9, 0, "a.gcode", null, Status.finished, Ending.COMPLETED, "a.gcode"),
                arguments(List.of(1, 2), 13, 3, "a.gcode", null, Status.printing, null, "a.gcode"),
                // calibrating or self-testing, during a print and without one
                arguments(List.of(5), 15, 0, "a.gcode", null, Status.preparing, null, "a.gcode"),
                arguments(List.of(9), 0, 0, "", null, Status.preparing, null, ""),
                arguments(List.of(5), 9, 0, "a.gcode", null, Status.preparing, Ending.COMPLETED, "a.gcode"),
                arguments(List.of(12), 8, 0, "", null, Status.preparing, null, ""),
                arguments(List.of(5), 99, 0, "", null, Status.preparing, null, ""),
                // ended without a file name: the previous print
                arguments(IDLE, 8, 0, "", PRINTING, Status.cancelled, Ending.CANCELLED, "a.gcode"),
                arguments(IDLE, 9, 0, "", PRINTING, Status.finished, Ending.COMPLETED, "a.gcode"),
                arguments(IDLE, 9, 0, "", FINISHED, Status.finished, Ending.COMPLETED, "a.gcode"),
                arguments(IDLE, 8, 0, "", null, Status.idle, null, ""),
                // dismissed at the screen
                arguments(IDLE, 0, 0, "", FINISHED, Status.idle, Ending.COMPLETED, "a.gcode"),
                // gone without an end: unknown
                arguments(IDLE, 0, 0, "", PRINTING, Status.idle, null, ""));
    }

    @ParameterizedTest
    @MethodSource("table")
    void machineAndPrintStatesAreMappedToAStatus(
            Object machine,
            int code,
            int layer,
            String name,
            @Nullable PrinterStatus before,
            Status status,
            @Nullable Ending ending,
            String shown) {
        PrinterStatus reading = SdcpStatusParser.parse(status(machine, code, layer, name), before);
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        assertThat(reading.fileName()).isEqualTo(shown);
    }

    @Test
    void printerWithoutAStateIsNotIdle() {
        Map<String, Object> status = status(IDLE, 0, 0, "");
        status.remove("CurrentStatus");
        assertThat(SdcpStatusParser.parse(status, FINISHED).isStartable()).isFalse();
    }

    @Test
    void printReportsItsProgress() {
        assertThat(PRINTING.file()).isEqualTo(new PrinterStatus.File("a.gcode", 42, 7, 165, 600L, 800L, null));
        assertThat(FINISHED.file()).isEqualTo(new PrinterStatus.File("a.gcode", 100, 165, 165, 600L, null, null));
        assertThat(PRINTING.temperatures())
                .isEqualTo(Map.of("nozzle", new Temperature(214.5, 215), "bed", new Temperature(60.2, 60)));
    }

    @Test
    void resinPrinterTimesAreReadInMilliseconds() {
        Map<String, Object> status = status(AT_IT, 3, 7, "a.ctb");
        status.keySet().removeIf(name -> name.startsWith("Temp"));
        assertThat(SdcpStatusParser.parse(status, null).file())
                .isEqualTo(new PrinterStatus.File("a.ctb", 42, 7, 165, 1L, 1L, null));
    }

    @Test
    void errorOfAnEndedPrintIsNotReportedAsAPrinterError() {
        Map<String, Object> status = status(IDLE, 14, 0, "a.gcode");
        status.put("PrintInfo", Map.of("Status", 14, "Filename", "a.gcode", "ErrorNumber", 2));
        PrinterStatus reading = SdcpStatusParser.parse(status, null);
        assertThat(reading.status()).isEqualTo(Status.failed);
        assertThat(reading.isStartable()).isTrue();
        assertThat(reading.errors()).isEmpty();
        assertThat(reading.message()).isEqualTo("the file cannot be read");
        assertThat(reading.warnings()).hasSize(1);
    }

    @Test
    void printerErrorIsReportedWhileItLasts() {
        Map<String, Object> status = status(IDLE, 0, 0, "a.gcode");
        Map<String, Object> print = new HashMap<>(Map.of("Status", 0, "Filename", "a.gcode", "ErrorNumber", 2));
        status.put("PrintInfo", print);
        assertThat(SdcpStatusParser.parse(status, null).errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).isEqualTo("the file cannot be read"));
        print.put("ErrorNumber", 0);
        assertThat(SdcpStatusParser.parse(status, null).errors()).isEmpty();
    }

    private static Map<String, Object> status(Object machine, int code, int layer, String name) {
        Map<String, Object> print = Map.of(
                "Status",
                code,
                "CurrentLayer",
                layer,
                "TotalLayer",
                165,
                "CurrentTicks",
                600.4,
                "TotalTicks",
                1_400,
                "Filename",
                name,
                "Progress",
                42,
                "ErrorNumber",
                0);
        return new HashMap<>(Map.of(
                "CurrentStatus",
                machine,
                "TempOfNozzle",
                214.5,
                "TempTargetNozzle",
                215,
                "TempOfHotbed",
                60.2,
                "TempTargetHotbed",
                60,
                "PrintInfo",
                print));
    }
}
