package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Connection;
import farm.gantry.printer.PrinterState.Status;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BedTest {
    private static final Bed CLEAR = Bed.cleared(state(Status.idle, "7"));
    private static final Bed UNVERIFIED = Bed.cleared(state(Status.idle, "7").lost());

    private static PrinterState state(Status status, @Nullable String counter) {
        return new PrinterState(
                Connection.online, null, status, null, Map.of(), List.of(), List.of(), counter, Instant.EPOCH);
    }

    @Test
    void onlyAPrinterThatStandsStillOrIsOutOfReachCanBeMadeReady() {
        assertThat(Arrays.stream(Status.values())
                        .filter(status -> Bed.refusal(state(status, null)) == null)
                        .toList())
                .containsExactly(Status.idle, Status.finished, Status.failed, Status.cancelled, Status.offline);
    }

    @Test
    void whatWasSaidOfAPrinterOutOfReachHoldsWhenItIsSeenToHaveBegunNoPrint() {
        assertThat(UNVERIFIED.isFree(true)).isFalse();
        assertThat(UNVERIFIED.seen(state(Status.idle, "7"), false)).isEqualTo(CLEAR);
        assertThat(UNVERIFIED.seen(state(Status.finished, "7"), false).isFree(false))
                .isTrue();
        assertThat(UNVERIFIED.seen(state(Status.unknown, "7"), false)).isEqualTo(UNVERIFIED);
        assertThat(UNVERIFIED.seen(state(Status.idle, "8"), false)).isEqualTo(Bed.USED);
        assertThat(UNVERIFIED.seen(state(Status.idle, null), false)).isEqualTo(Bed.USED);
        assertThat(UNVERIFIED.seen(state(Status.preparing, "7"), false)).isEqualTo(Bed.USED);
        assertThat(Bed.cleared(null).seen(state(Status.idle, "8"), false).isFree(false))
                .as("nothing was known of it before")
                .isTrue();
    }

    @Test
    void aPrintOfSomebodyElseUsesTheBedWhetherItIsSeenOrOnlyCounted() {
        assertThat(CLEAR.seen(state(Status.printing, "7"), true)).isEqualTo(Bed.USED);
        assertThat(CLEAR.seen(state(Status.finished, "8"), false)).isEqualTo(Bed.USED);
        assertThat(CLEAR.seen(state(Status.idle, null), false))
                .as("its counter cannot be read now")
                .isEqualTo(CLEAR);
        assertThat(CLEAR.seen(state(Status.printing, "8").lost(), false)).isEqualTo(CLEAR);
        assertThat(Bed.USED.seen(state(Status.idle, "7"), false)).isEqualTo(Bed.USED);
    }

    @Test
    void continuousPrintingGoesOnFromABedThatIsClearAfterAnErrorAndNotFromOneInDoubt() {
        assertThat(CLEAR.doubted().isFree(false)).isFalse();
        assertThat(CLEAR.doubted().isFree(true)).isTrue();
        assertThat(UNVERIFIED.doubted()).isEqualTo(Bed.USED);
        assertThat(Bed.USED.isFree(true)).isFalse();
    }
}
