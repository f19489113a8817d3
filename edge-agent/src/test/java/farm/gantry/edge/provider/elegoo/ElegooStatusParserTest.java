package farm.gantry.edge.provider.elegoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
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

class ElegooStatusParserTest {

    static Stream<Arguments> table() {
        return Stream.of(
                        Stream.of(
                                arguments(0, 0, "", Status.unknown, null, "a"),
                                arguments(1, 0, "", Status.idle, null, ""),
                                arguments(1, 0, "standby", Status.idle, null, ""),
                                arguments(1, 0, "complete", Status.finished, Ending.COMPLETED, "a"),
                                arguments(1, 0, "cancelled", Status.cancelled, Ending.CANCELLED, "a"),
                                arguments(1, 0, "error", Status.failed, Ending.FAILED, "a"),
                                arguments(2, 2504, "", Status.cancelled, Ending.CANCELLED, "a"),
                                arguments(2, 2077, "", Status.finished, Ending.COMPLETED, "a"),
                                arguments(14, 0, "", Status.error, Ending.FAILED, "a"),
                                arguments(15, 0, "", Status.paused, null, "a"),
                                arguments(99, 0, "", Status.unknown, null, "a")),
                        stages(Status.preparing, 1045, 1096, 1405, 1906, 2801, 2802, 2901, 2902, 1081, 1082, 1086),
                        stages(Status.printing, 0, 1041, 2075, 2401, 2402, 2503, 4711),
                        stages(Status.paused, 2501, 2502, 2505),
                        IntStream.rangeClosed(3, 13)
                                .mapToObj(machine -> arguments(machine, 0, "", Status.preparing, null, "a")))
                .flatMap(rows -> rows);
    }

    private static Stream<Arguments> stages(Status status, int... stages) {
        return IntStream.of(stages).mapToObj(stage -> arguments(2, stage, "", status, null, "a"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void printerStateIsMappedToStatusAndEnding(
            int machine, int stage, String state, Status status, @Nullable Ending ending, String file) {
        PrinterStatus reading = read(null, false, reported(machine, stage, state));
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        assertThat(reading.fileName()).isEqualTo(file);
    }

    @Test
    void reportedEndStaysWhileThePrinterIsIdleOrBusyWithoutAPrint() {
        PrinterStatus finished = read(null, false, reported(2, 2077, ""));
        for (int machine : List.of(1, 10, 12)) {
            assertThat(read(finished, false, reported(machine, 0, ""))).satisfies(after -> {
                assertThat(after.ending()).isEqualTo(Ending.COMPLETED);
                assertThat(after.fileName()).isEqualTo("a");
            });
        }
        Map<String, Object> nameless = reported(1, 0, "");
        nameless.put("print_status", Map.of());
        assertThat(read(finished, false, nameless).fileName()).isEqualTo("a");
    }

    @Test
    void printMissingFromAReportIsCancelledOnlyAfterACancel() {
        PrinterStatus printing = read(null, false, reported(2, 2075, ""));
        Map<String, Object> nameless = reported(1, 0, "");
        nameless.put("print_status", Map.of());
        assertThat(read(printing, true, nameless).ending()).isEqualTo(Ending.CANCELLED);
        assertThat(read(printing, false, nameless).fileName()).isEmpty();
    }

    @Test
    void errorNumbersAreConvertedToMessages() {
        Map<String, Object> reported = reported(2, 2502, "");
        reported.put(
                "machine_status",
                Map.of("status", 2, "sub_status", 2502, "exception_status", List.of(109, 1026, 4711, 109)));
        reported.put("exception", Map.of("exception_code", Map.of("803", Map.of("time", 1))));
        assertThat(read(null, false, reported).errors())
                .containsExactly(
                        new Fault("109", "the filament has run out (error 109)"),
                        new Fault("1026", "the bed was never levelled (error 1026)"),
                        new Fault("4711", "the printer reports error 4711"),
                        new Fault("803", "the printer reports error 803"));
    }

    @Test
    void emergencyStopIsReportedAsAnError() {
        assertThat(read(null, false, reported(14, 0, "")).errors())
                .containsExactly(new Fault(null, "the printer is in emergency stop"));
        assertThat(read(null, false, reported(1, 0, "error")).errors()).isEmpty();
    }

    @Test
    void outdatedChangeIsIgnoredAndAMissedOneIsDetected() {
        ElegooState reported = ElegooState.empty()
                .withFullStatus(reported(2, 2075, ""))
                .withChange(7, Map.of("led", Map.of("status", 1)));
        assertThat(reported.isGap(8)).isFalse();
        assertThat(reported.isGap(0)).isFalse();
        assertThat(reported.isGap(7)).isTrue();
        assertThat(reported.isGap(10)).isTrue();
        Map<String, Object> paused = Map.of("machine_status", Map.of("sub_status", 2502));
        assertThat(reported.withChange(6, paused).stageCode()).isEqualTo(2075);
        assertThat(reported.withChange(7, paused).stageCode()).isEqualTo(2075);
        assertThat(reported.withChange(8, paused).stageCode()).isEqualTo(2502);
        assertThat(reported.withChange(8, paused).machineCode()).isEqualTo(2);
        assertThat(reported.withChange(0, paused).stageCode()).isEqualTo(2502);
    }

    private static PrinterStatus read(@Nullable PrinterStatus before, boolean stopping, Map<String, Object> reported) {
        return ElegooStatusParser.parse(ElegooState.empty().withFullStatus(reported), before, stopping);
    }

    private static Map<String, Object> reported(int machine, int stage, String state) {
        return new HashMap<>(Map.of(
                "machine_status",
                Map.of("status", machine, "sub_status", stage, "progress", 7),
                "print_status",
                Map.of("filename", "/local/a", "state", state)));
    }
}
