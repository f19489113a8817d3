package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Connection;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BedTest {
    private static final Instant NOW = Instant.EPOCH;
    private static final BedState CLEAR = BedState.cleared(state(Status.idle, "7"), NOW);
    private static final BedState UNVERIFIED =
            BedState.cleared(state(Status.idle, "7").asOffline(), NOW);

    private static PrinterState state(Status status, @Nullable String counter) {
        return new PrinterState(
                Connection.online, null, status, null, Map.of(), List.of(), List.of(), counter, Instant.EPOCH);
    }

    @Test
    void bedIsConfirmedOnlyForAnIdleOrUnreachablePrinter() {
        assertThat(Arrays.stream(Status.values())
                        .filter(status -> BedState.findRefusal(state(status, null)) == null)
                        .toList())
                .containsExactly(Status.idle, Status.finished, Status.failed, Status.cancelled, Status.offline);
    }

    @Test
    void confirmationOfAnUnreachablePrinterHoldsWhenItStartedNoPrint() {
        assertThat(UNVERIFIED.isFree(true)).isFalse();
        assertThat(UNVERIFIED.afterPrinterState(state(Status.idle, "7"), false, NOW))
                .isEqualTo(CLEAR);
        assertThat(UNVERIFIED
                        .afterPrinterState(state(Status.finished, "7"), false, NOW)
                        .isFree(false))
                .isTrue();
        assertThat(UNVERIFIED.afterPrinterState(state(Status.unknown, "7"), false, NOW))
                .isEqualTo(UNVERIFIED);
        assertThat(UNVERIFIED.afterPrinterState(state(Status.idle, "8"), false, NOW))
                .isEqualTo(BedState.USED);
        assertThat(UNVERIFIED.afterPrinterState(state(Status.idle, null), false, NOW))
                .isEqualTo(BedState.USED);
        assertThat(UNVERIFIED.afterPrinterState(state(Status.preparing, "7"), false, NOW))
                .isEqualTo(BedState.USED);
    }

    @Test
    void confirmationOfAnUnseenPrinterExpiresWhenAPrintCouldHaveFinished() {
        Instant soon = NOW.plus(Duration.ofMinutes(2));
        for (BedState unseen : List.of(
                BedState.cleared(null, NOW),
                BedState.cleared(state(Status.idle, null).asOffline(), NOW))) {
            assertThat(unseen.isFree(true)).isFalse();
            assertThat(unseen.afterPrinterState(state(Status.idle, "8"), false, soon)
                            .isFree(false))
                    .isTrue();
            assertThat(unseen.afterPrinterState(state(Status.idle, "8"), false, soon.plusMillis(1)))
                    .isEqualTo(BedState.USED);
        }
        assertThat(UNVERIFIED.afterPrinterState(state(Status.idle, "7"), false, soon.plusMillis(1)))
                .as("its print counter changed")
                .isEqualTo(CLEAR);
    }

    @Test
    void foreignPrintUsesTheBedWhetherReportedOrOnlyCounted() {
        assertThat(CLEAR.afterPrinterState(state(Status.printing, "7"), true, NOW))
                .isEqualTo(BedState.USED);
        assertThat(CLEAR.afterPrinterState(state(Status.finished, "8"), false, NOW))
                .isEqualTo(BedState.USED);
        assertThat(CLEAR.afterPrinterState(state(Status.idle, null), false, NOW))
                .as("its print counter is unknown")
                .isEqualTo(CLEAR);
        assertThat(CLEAR.afterPrinterState(state(Status.printing, "8").asOffline(), false, NOW))
                .isEqualTo(CLEAR);
        assertThat(BedState.USED.afterPrinterState(state(Status.idle, "7"), false, NOW))
                .isEqualTo(BedState.USED);
    }

    @Test
    void continuousPrintingResumesAfterAnErrorOnlyFromAClearBed() {
        assertThat(CLEAR.asUnconfirmed().isFree(false)).isFalse();
        assertThat(CLEAR.asUnconfirmed().isFree(true)).isTrue();
        assertThat(UNVERIFIED.asUnconfirmed()).isEqualTo(BedState.USED);
        assertThat(BedState.USED.isFree(true)).isFalse();
    }
}
