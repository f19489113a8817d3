package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.PrintFile;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeatingTimeTest {
    private static final Job JOB = new Job("k1", Instant.MAX, PrintFile.wish(Map.of(), null), "gantry-j1-1-cube.gcode");

    private final HeatingTime heating = new HeatingTime();

    private static TimePoint at(long second) {
        return new TimePoint(Instant.EPOCH.plusSeconds(second), Duration.ofSeconds(second), Duration.ZERO);
    }

    private @Nullable Long seen(Status status, double percent, long second, boolean afterGap) {
        PrinterStatus.File file = new PrinterStatus.File(JOB.fileName(), percent, null, null, null, null, null);
        PrinterStatus reading = new PrinterStatus(status, null, null, file, Map.of(), List.of(), List.of());
        return Objects.requireNonNull(
                        heating.withHeating(reading, JOB, at(second), afterGap).file())
                .heatingSeconds();
    }

    @Test
    void timeUntilThePrinterPrintsIsCounted() {
        assertThat(seen(Status.preparing, 0, 100, false)).isNull();
        assertThat(seen(Status.printing, 0, 340, false)).isEqualTo(240);
        assertThat(seen(Status.printing, 50, 2000, false)).isEqualTo(240);
    }

    @Test
    void homingWithColdHeatersIsNoPrinting() {
        assertThat(seen(Status.printing, 0, 100, false)).isZero();
        assertThat(seen(Status.preparing, 0, 120, false)).isNull();
        assertThat(seen(Status.printing, 0, 340, false)).isEqualTo(240);
    }

    @Test
    void preparationAfterTheBeginningIsNoHeating() {
        seen(Status.preparing, 0, 100, false);
        seen(Status.printing, 5, 340, false);
        assertThat(seen(Status.preparing, 0, 600, false)).isEqualTo(240);
    }

    @Test
    void heatingTimeIsUnknownAfterAGap() {
        seen(Status.preparing, 0, 100, false);
        seen(Status.preparing, 0, 9000, true);
        assertThat(seen(Status.printing, 0, 9240, false)).isNull();
    }

    @Test
    void heatingTimeIsUnknownAfterAPauseWhileHeating() {
        seen(Status.preparing, 0, 100, false);
        seen(Status.paused, 0, 200, false);
        assertThat(seen(Status.printing, 0, 9240, false)).isNull();
    }

    @Test
    void gapAfterTheBeginningKeepsTheHeatingTime() {
        seen(Status.preparing, 0, 100, false);
        seen(Status.printing, 0, 340, false);
        assertThat(seen(Status.printing, 60, 9000, true)).isEqualTo(240);
    }
}
