package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.Observations.Observation;
import farm.gantry.edge.printer.Observations.Observation.Lost;
import farm.gantry.edge.printer.Observations.Observation.StatusObserved;
import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Observations that accumulate while a full disk prevents their handling. */
class ObservationsTest {
    private static final String OURS = "gantry-j1-1-cube.gcode";
    private static final PrinterStatus PRINTING = ScriptedPrinter.reading(Status.printing, null, OURS);
    private static final PrinterStatus PAUSED = ScriptedPrinter.reading(Status.paused, null, OURS);
    private static final PrinterStatus ENDED = ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, OURS);
    private static final TimePoint AT = new TimePoint(Instant.EPOCH, Duration.ZERO, Duration.ZERO);
    private static final int MANY = 10_000;

    private final Observations observations = new Observations(
            reading -> reading.ending() != null && reading.fileName().equals(OURS));

    @Test
    void statusReplacesAnEarlierOneWithTheSamePrintState() {
        assertThat(observations.saw(warm(20), AT, true)).isTrue();
        assertThat(observations.saw(warm(21), AT, false)).isFalse();
        assertThat(observations.saw(warm(22), AT, false)).isFalse();
        assertThat(observations.saw(ENDED, AT, false)).isTrue();
        assertThat(observations.lost("first")).isTrue();
        assertThat(observations.lost("second")).isFalse();
        assertThat(observations.saw(ENDED, AT, true)).isTrue();
        assertThat(all())
                .containsExactly(
                        new StatusObserved(warm(22), AT, true, false),
                        new StatusObserved(ENDED, AT, false, false),
                        new Lost("second"),
                        new StatusObserved(ENDED, AT, true, false));
    }

    @Test
    void oldestObservationsAreDroppedExceptTheEndOfTheJob() {
        observations.saw(PRINTING, AT, true);
        observations.saw(ENDED, AT, false);
        int places = 2;
        for (int i = 0; i < MANY; i++) {
            places += observations.saw(i % 2 == 0 ? PAUSED : ENDED, AT, false) ? 1 : 0;
        }
        List<Observation> remaining = all();
        assertThat(remaining).hasSize(Observations.MAX_COUNT).hasSize(places);
        assertThat(remaining.getFirst()).isEqualTo(new StatusObserved(ENDED, AT, true, true));
        assertThat(remaining.get(1)).isEqualTo(new StatusObserved(ENDED, AT, true, true));
        assertThat(remaining.getLast()).isEqualTo(new StatusObserved(ENDED, AT, false, false));
    }

    @Test
    void flappingPrinterDoesNotExceedTheObservationLimit() {
        for (int i = 0; i < MANY; i++) {
            observations.lost("away");
            observations.saw(PRINTING, AT, true);
        }
        assertThat(all())
                .hasSize(Observations.MAX_COUNT)
                .filteredOn(StatusObserved.class::isInstance)
                .first()
                .isEqualTo(new StatusObserved(PRINTING, AT, true, true));
    }

    private List<Observation> all() {
        return Stream.generate(observations::take).takeWhile(Objects::nonNull).toList();
    }

    private static PrinterStatus warm(double bed) {
        return new PrinterStatus(
                Status.printing,
                null,
                null,
                new PrinterStatus.File(OURS, 0, null, null, null, null, null),
                Map.of("bed", new Temperature(bed, 60)),
                List.of(),
                List.of());
    }
}
