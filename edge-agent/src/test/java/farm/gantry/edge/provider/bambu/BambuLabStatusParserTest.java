package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
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

class BambuLabStatusParserTest {
    private static final long CANCELLED = 50_348_044;
    private static final long CANCELLED_TOO = 0x0500_400E;
    private static final long HEATER = 0x0300_8009;

    static Stream<Arguments> table() {
        return Stream.of(
                arguments("IDLE", 0, 0, 0L, Status.idle, null, ""),
                arguments("INIT", 0, 0, 0L, Status.idle, null, ""),
                arguments("SLICING", 0, 0, 0L, Status.preparing, null, "a"),
                arguments("PREPARE", 0, 0, 0L, Status.preparing, null, "a"),
                arguments("RUNNING", 0, 0, 0L, Status.printing, null, "a"),
                arguments("RUNNING", -1, 0, 0L, Status.printing, null, "a"),
                arguments("RUNNING", 255, 0, 0L, Status.printing, null, "a"),
                arguments("RUNNING", 1, 0, 0L, Status.preparing, null, "a"),
                arguments("RUNNING", 2, 0, 0L, Status.preparing, null, "a"),
                arguments("RUNNING", 14, 0, 0L, Status.preparing, null, "a"),
                arguments("RUNNING", 14, 3, 0L, Status.printing, null, "a"),
                arguments("PAUSE", 0, 3, 0L, Status.paused, null, "a"),
                arguments("FINISH", 0, 3, 0L, Status.finished, Ending.COMPLETED, "a"),
                arguments("FAILED", 0, 3, 0L, Status.failed, Ending.FAILED, "a"),
                arguments("FAILED", 0, 3, HEATER, Status.failed, Ending.FAILED, "a"),
                arguments("FAILED", 0, 3, CANCELLED, Status.cancelled, Ending.CANCELLED, "a"),
                arguments("FAILED", 0, 3, CANCELLED_TOO, Status.cancelled, Ending.CANCELLED, "a"),
                arguments("whatever comes", 0, 3, 0L, Status.unknown, null, "a"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void printerStateIsMappedToStatusAndEnding(
            String state, int stage, int layer, long error, Status status, @Nullable Ending ending, String file) {
        PrinterStatus reading = read(null, false, reported(state, stage, layer, error));
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.ending()).isEqualTo(ending);
        assertThat(reading.fileName()).isEqualTo(file);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 255})
    void printWithoutProgressIsPreparingBetweenItsStages(int stage) {
        Map<String, Object> print = reported("RUNNING", stage, 0, 0);
        print.put("mc_percent", 0);
        assertThat(read(null, false, print).status()).isEqualTo(Status.preparing);
        print.put("layer_num", 1);
        assertThat(read(null, false, print).status()).isEqualTo(Status.printing);
    }

    @Test
    void printStoppedByTheFarmIsAlwaysReportedAsCancelled() {
        PrinterStatus printing = read(null, false, reported("RUNNING", 0, 3, 0));
        assertThat(read(printing, true, reported("FAILED", 0, 3, 0)).ending()).isEqualTo(Ending.CANCELLED);
        assertThat(read(printing, true, reported("IDLE", 0, 0, 0)).ending()).isEqualTo(Ending.CANCELLED);
        assertThat(read(printing, false, reported("IDLE", 0, 0, 0)).fileName()).isEmpty();
    }

    @Test
    void reportedEndStaysWhenItsErrorNumberIsCleared() {
        PrinterStatus cancelled = read(null, false, reported("FAILED", 0, 3, CANCELLED));
        assertThat(read(cancelled, false, reported("FAILED", 0, 3, 0)).ending()).isEqualTo(Ending.CANCELLED);
        assertThat(read(cancelled, false, reported("IDLE", 0, 0, 0)).ending()).isEqualTo(Ending.CANCELLED);
    }

    @Test
    void nextPrintDoesNotTakeThePreviousPrintsEnd() {
        BambuLabState last = BambuLabState.empty().merge(reported("FINISH", 0, 3, 0));
        BambuLabState named = last.merge(Map.of("subtask_name", "b"));
        assertThat(BambuLabStatusParser.parse(named, null, false)).satisfies(reading -> {
            assertThat(reading.fileName()).isEqualTo("a");
            assertThat(reading.ending()).isEqualTo(Ending.COMPLETED);
            assertThat(reading.isStartable()).isFalse();
        });
        assertThat(BambuLabStatusParser.parse(named.merge(Map.of("gcode_state", "PREPARE")), null, false))
                .satisfies(reading -> {
                    assertThat(reading.fileName()).isEqualTo("b");
                    assertThat(reading.ending()).isNull();
                });
        assertThat(BambuLabStatusParser.parse(named.merge(Map.of("gcode_state", "FAILED")), null, false)
                        .fileName())
                .isEqualTo("b");
    }

    /** The printer may have failed to read the file, which it does not report. */
    @Test
    void nextPrintIsNoLongerExpectedAfterFiveMinutes() {
        Duration named = Duration.ofHours(1);
        BambuLabState next = BambuLabState.empty()
                .merge(reported("FAILED", 0, 3, 0), Duration.ofMinutes(50))
                .merge(Map.of("subtask_name", "b"), named)
                .merge(Map.of("bed_temper", 23), named.plusMinutes(4));
        assertThat(next.isReadingNext(named.plusMinutes(4))).isTrue();
        assertThat(next.isReadingNext(named.plusMinutes(5))).isFalse();
        assertThat(next.merge(Map.of("subtask_name", "a"), named.plusMinutes(4)).isReadingNext(named.plusMinutes(4)))
                .isFalse();
    }

    @Test
    void shownEndKeepsItsFileAfterAShortDisconnectOnly() {
        BambuLabState last = BambuLabState.empty().merge(reported("FINISH", 0, 3, 0), Duration.ofHours(1));
        Map<String, Object> next = reported("FINISH", 0, 3, 0);
        next.put("subtask_name", "b");
        Duration soon = Duration.ofMinutes(62);
        assertThat(last.afterReconnect(soon).merge(next, soon).fileName()).isEqualTo("a");
        Duration late = soon.plusSeconds(1);
        assertThat(last.afterReconnect(late).merge(next, late)).satisfies(state -> {
            assertThat(state.fileName()).isEqualTo("b");
            assertThat(state.isReadingNext(late)).isFalse();
        });
        BambuLabState printing = BambuLabState.empty().merge(reported("RUNNING", 0, 3, 0), Duration.ofHours(1));
        assertThat(printing.afterReconnect(soon).merge(next, soon).fileName()).isEqualTo("b");
    }

    @Test
    void printStartedAtTheScreenIsIdentifiedByItsFile() {
        for (String reported : List.of("gantry-j1-1-cube", "gantry-j1-1-cube.gcode", "gantry-j1-1-cube.gcode.3mf")) {
            assertThat(BambuLabState.empty()
                            .merge(Map.of("gcode_state", "RUNNING", "subtask_name", reported))
                            .fileName())
                    .isEqualTo("gantry-j1-1-cube.gcode");
        }
    }

    @Test
    void errorIsReportedOnlyWhileThePrintIsPaused() {
        assertThat(read(null, false, reported("RUNNING", 0, 3, HEATER)).errors())
                .isEmpty();
        assertThat(read(null, false, reported("PAUSE", 0, 3, HEATER)).errors())
                .extracting(Fault::code)
                .containsExactly("0300_8009");
        PrinterStatus failed = read(null, false, reported("FAILED", 0, 3, HEATER));
        assertThat(failed.errors()).isEmpty();
        assertThat(failed.message()).contains("0300_8009", "motion controller");
    }

    @Test
    void seriousHealthMessageIsAnErrorAndACommonOneAWarning() {
        Map<String, Object> fatal = Map.of("attr", 0x0300_0100, "code", 0x0001_0001);
        Map<String, Object> serious = Map.of("attr", 0x0700_2000, "code", 0x0002_0003);
        Map<String, Object> common = Map.of("attr", 0x0C00_0300, "code", 0x0003_0006);
        Map<String, Object> reported = reported("IDLE", 0, 0, 0);
        Map<String, Object> information = Map.of("attr", 0x0C00_0300, "code", 0x0004_0001);
        reported.put("hms", List.of(fatal, serious, common, information));
        assertThat(read(null, false, reported).errors())
                .extracting(Fault::code)
                .containsExactly("0300_0100_0001_0001", "0700_2000_0002_0003");
        assertThat(read(null, false, reported).warnings())
                .extracting(Fault::message)
                .containsExactly("the printer reports a common problem, HMS 0C00_0300_0003_0006 (camera and lidar)");
    }

    @Test
    void printerThatRequiresSignaturesNeedsDeveloperMode() {
        Map<String, Object> reported = reported("IDLE", 0, 0, 0);
        reported.put("fun", "41AFFF9CFF");
        assertThat(read(null, false, reported).errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("developer mode"));
        reported.put("fun", "418FFF9CFF");
        assertThat(read(null, false, reported).errors()).isEmpty();
    }

    private static PrinterStatus read(@Nullable PrinterStatus before, boolean stopping, Map<String, Object> reported) {
        return BambuLabStatusParser.parse(BambuLabState.empty().merge(reported), before, stopping);
    }

    private static Map<String, Object> reported(String state, int stage, int layer, long error) {
        return new HashMap<>(Map.of(
                "gcode_state",
                state,
                "stg_cur",
                stage,
                "layer_num",
                layer,
                "print_error",
                error,
                "subtask_name",
                "a",
                "mc_percent",
                7));
    }
}
