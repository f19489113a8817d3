package farm.gantry.edge.provider.prusalink;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrusaLinkLastPrintTest {
    private static final String FILE = "gantry-1-1.gcode";

    @ParameterizedTest
    @CsvSource({"60,60,true", "60,30,true", "60,29,false", "0,12,true", "0,11,false", "3600,60,false", "3600,7200,true"
    })
    void endIsHiddenIfTheGapExceedsItsDisplayAndTheRemainingTime(long remaining, long gap, boolean expected) {
        PrusaLinkLastPrint last = after(null, printing(remaining), 100);
        PrusaLinkLastPrint gone = after(last, reading(Status.idle, null, null), 100 + gap);
        assertThat(hidesEnd(gone, FILE)).isEqualTo(expected);
        assertThat(hidesEnd(gone, "other.gcode")).isFalse();
    }

    @Test
    void gapEndsWithTheFirstStatusWithoutThePrint() {
        PrusaLinkLastPrint last = after(null, printing(60), 0);
        PrusaLinkLastPrint gone = after(last, reading(Status.unknown, null, null), 20);
        assertThat(after(gone, reading(Status.idle, null, null), 3_600)).isEqualTo(gone);
        assertThat(hidesEnd(last, FILE)).isFalse();
    }

    @Test
    void lastPrintIsForgottenAfterAPauseOrAnError() {
        PrusaLinkLastPrint last = after(null, printing(60), 0);
        assertThat(after(last, reading(Status.paused, FILE, 60L), 1)).isNull();
        assertThat(after(last, reading(Status.finished, FILE, null), 1)).isNull();
        assertThat(after(last, reading(Status.printing, FILE, null), 1)).isNull();
        PrinterStatus fault = new PrinterStatus(
                Status.error,
                null,
                null,
                null,
                Map.of(),
                List.of(),
                List.of(new Fault(null, "the printer shows an error")));
        assertThat(after(last, fault, 1)).isNull();
    }

    private static boolean hidesEnd(@Nullable PrusaLinkLastPrint last, String file) {
        return Objects.requireNonNull(last, "the last print").hidesEndOf(file);
    }

    private static @Nullable PrusaLinkLastPrint after(
            @Nullable PrusaLinkLastPrint last, PrinterStatus reading, long at) {
        return PrusaLinkLastPrint.after(last, reading, Duration.ofSeconds(at));
    }

    private static PrinterStatus printing(long remaining) {
        return reading(Status.printing, FILE, remaining);
    }

    private static PrinterStatus reading(Status status, @Nullable String file, @Nullable Long remaining) {
        return new PrinterStatus(
                status,
                null,
                null,
                file == null ? null : new PrinterStatus.File(file, 50, null, null, 60L, remaining, null),
                Map.of(),
                List.of(),
                List.of());
    }
}
