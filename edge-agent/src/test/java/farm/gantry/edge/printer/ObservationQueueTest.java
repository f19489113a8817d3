package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.ObservationQueue.Observation;
import farm.gantry.edge.printer.ObservationQueue.Observation.DisconnectObserved;
import farm.gantry.edge.printer.ObservationQueue.Observation.StatusObserved;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
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
class ObservationQueueTest {
    private static final String OURS = "gantry-j1-1-cube.gcode";
    private static final PrinterStatus PRINTING = ScriptedPrinter.reading(Status.printing, null, OURS);
    private static final PrinterStatus PAUSED = ScriptedPrinter.reading(Status.paused, null, OURS);
    private static final PrinterStatus ENDED = ScriptedPrinter.reading(Status.finished, Ending.COMPLETED, OURS);
    private static final TimePoint AT = new TimePoint(Instant.EPOCH, Duration.ZERO, Duration.ZERO);
    private static final int MANY = 10_000;

    private final ObservationQueue observations = new ObservationQueue(
            reading -> reading.ending() != null && reading.fileName().equals(OURS));

    @Test
    void statusReplacesAnEarlierOneWithTheSamePrintState() {
        assertThat(observations.addStatus(warm(20), AT, true)).isTrue();
        assertThat(observations.addStatus(warm(21), AT, false)).isFalse();
        assertThat(observations.addStatus(warm(22), AT, false)).isFalse();
        assertThat(observations.addStatus(ENDED, AT, false)).isTrue();
        assertThat(observations.addDisconnect("first")).isTrue();
        assertThat(observations.addDisconnect("second")).isFalse();
        assertThat(observations.addStatus(ENDED, AT, true)).isTrue();
        assertThat(all())
                .containsExactly(
                        new StatusObserved(warm(22), AT, true, false),
                        new StatusObserved(ENDED, AT, false, false),
                        new DisconnectObserved("second"),
                        new StatusObserved(ENDED, AT, true, false));
    }

    @Test
    void oldestObservationsAreDroppedExceptTheEndOfTheJob() {
        observations.addStatus(PRINTING, AT, true);
        observations.addStatus(ENDED, AT, false);
        int places = 2;
        for (int i = 0; i < MANY; i++) {
            places += observations.addStatus(i % 2 == 0 ? PAUSED : ENDED, AT, false) ? 1 : 0;
        }
        List<Observation> remaining = all();
        assertThat(remaining).hasSize(ObservationQueue.MAX_COUNT).hasSize(places);
        assertThat(remaining.getFirst()).isEqualTo(new StatusObserved(ENDED, AT, true, true));
        assertThat(remaining.get(1)).isEqualTo(new StatusObserved(ENDED, AT, true, true));
        assertThat(remaining.getLast()).isEqualTo(new StatusObserved(ENDED, AT, false, false));
    }

    @Test
    void flappingPrinterDoesNotExceedTheObservationLimit() {
        for (int i = 0; i < MANY; i++) {
            observations.addDisconnect("away");
            observations.addStatus(PRINTING, AT, true);
        }
        assertThat(all())
                .hasSize(ObservationQueue.MAX_COUNT)
                .filteredOn(StatusObserved.class::isInstance)
                .first()
                .isEqualTo(new StatusObserved(PRINTING, AT, true, true));
    }

    private List<Observation> all() {
        return Stream.generate(observations::takeOldest)
                .takeWhile(Objects::nonNull)
                .toList();
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
