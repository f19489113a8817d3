package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Temperature;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.printer.PrinterThrottleGroup.Heated;
import farm.gantry.printer.PrinterThrottleGroup.Mode;
import farm.gantry.printer.PrinterThrottleGroup.ReleaseConditions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");

    private static PrinterThrottleGroup group(
            @Nullable Heated bed, @Nullable Heated nozzle, @Nullable Integer seconds) {
        return new PrinterThrottleGroup(
                "g",
                "s",
                BEGUN,
                BEGUN,
                "g",
                true,
                2,
                600,
                2,
                new ReleaseConditions(bed, nozzle, seconds == null ? null : new PrinterThrottleGroup.Elapsed(seconds)),
                List.of());
    }

    private static boolean released(
            PrinterThrottleGroup group, int after, PrinterState.Status status, Map<String, Temperature> temperatures) {
        PrinterState state = new PrinterState(
                PrinterState.Connection.online, null, status, null, temperatures, List.of(), List.of(), null, BEGUN);
        Throttle.Hold hold = new Throttle.Hold("j", 1, "p", BEGUN, 60.0, null);
        return Throttle.isReleased(group, hold, state, BEGUN.plusSeconds(after));
    }

    private static boolean heated(Heated bed, double actual, double target) {
        return released(
                group(bed, null, null),
                1,
                PrinterState.Status.preparing,
                Map.of("bed", new Temperature(actual, target)));
    }

    private static final Heated NINETY_PERCENT = new Heated(Mode.PERCENT_OF_TARGET, 90.0, null);
    private static final Heated AT_50 = new Heated(Mode.FIXED_TEMP, null, 50.0);
    private static final Heated AS_FIRST_LAYER = new Heated(Mode.FIRST_LAYER_TEMP, null, null);

    @Test
    void modeReadsItsTemperatureWithinTheTolerance() {
        assertThat(heated(NINETY_PERCENT, 87, 100)).isFalse();
        assertThat(heated(NINETY_PERCENT, 88, 100)).isTrue();
        assertThat(heated(NINETY_PERCENT, 88, 0)).isFalse();
        assertThat(heated(AT_50, 47.9, 100)).isFalse();
        assertThat(heated(AT_50, 48, 100)).isTrue();
        assertThat(heated(AS_FIRST_LAYER, 57.9, 100)).isFalse();
        assertThat(heated(AS_FIRST_LAYER, 58, 100)).isTrue();
    }

    @Test
    void startIsReleasedWhenAllConditionsAreMet() {
        PrinterThrottleGroup both = group(AT_50, NINETY_PERCENT, 30);
        Map<String, Temperature> warm = Map.of("bed", new Temperature(50, 60), "nozzle", new Temperature(200, 210));
        Map<String, Temperature> coldNozzle =
                Map.of("bed", new Temperature(50, 60), "nozzle", new Temperature(100, 210));
        assertThat(released(both, 30, PrinterState.Status.printing, warm)).isTrue();
        assertThat(released(both, 29, PrinterState.Status.printing, warm)).isFalse();
        assertThat(released(both, 30, PrinterState.Status.printing, coldNozzle)).isFalse();
    }

    @Test
    void residualHeatOfTheLastPrintDoesNotCount() {
        assertThat(released(
                        group(AT_50, null, null),
                        1,
                        PrinterState.Status.finished,
                        Map.of("bed", new Temperature(60, 0))))
                .isFalse();
    }

    @Test
    void startIsReleasedByTimeoutAlone() {
        PrinterThrottleGroup silent = group(null, null, null);
        assertThat(released(silent, 599, PrinterState.Status.printing, Map.of()))
                .isFalse();
        assertThat(released(silent, 600, PrinterState.Status.printing, Map.of()))
                .isTrue();
        Heated unknown = new Heated(Mode.FIRST_LAYER_TEMP, null, null);
        assertThat(released(group(null, unknown, null), 599, PrinterState.Status.printing, Map.of()))
                .isFalse();
        assertThat(released(group(null, unknown, null), 600, PrinterState.Status.printing, Map.of()))
                .isTrue();
    }

    @Test
    void nextCheckIsWhenTimeMayReleaseAStart() {
        Throttle.Hold hold = new Throttle.Hold("j", 1, "p", BEGUN, null, null);
        assertThat(Throttle.nextTimeout(group(null, null, 30), hold, BEGUN)).isEqualTo(BEGUN.plusSeconds(30));
        assertThat(Throttle.nextTimeout(group(AT_50, null, 30), hold, BEGUN.plusSeconds(31)))
                .isEqualTo(BEGUN.plusSeconds(600));
    }

    @Test
    void jobWaitingLongestStartsFirst() {
        assertThat(Throttle.admit(group(null, null, null), 1, List.of("first", "second")))
                .containsExactly("first");
        assertThat(Throttle.admit(group(null, null, null), 2, List.of("first"))).isEmpty();
    }
}
