package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The time left of prints that take 15 % longer than estimated, against the truth, half-way through the estimate. */
class RemainingTimeTest {
    private static final Deviation LEARNED = new Deviation(Math.log(1.15), 0.1);
    private static final double ESTIMATE = 3600;
    private static final int PRINTS = 5000;
    private static final double NINE_OF_TEN = 1.2816;

    /** Returns what a printer reports as left of a print. */
    private interface Report {
        @Nullable
        Double seconds(double total, double elapsed);
    }

    private record Accuracy(double likely, double latest, double meanError) {}

    private static Accuracy accuracyOf(Report report) {
        Random random = new Random(11);
        int likely = 0;
        int latest = 0;
        double errors = 0;
        for (int i = 0; i < PRINTS; i++) {
            double total = ESTIMATE * LEARNED.factor(random.nextGaussian());
            double elapsed = total / 2;
            FarmState.CurrentJob print =
                    new FarmState.CurrentJob("job", ESTIMATE, elapsed, report.seconds(total, elapsed), null);
            likely += total - elapsed <= RemainingTime.seconds(print, LEARNED, 0) ? 1 : 0;
            latest += total - elapsed <= RemainingTime.seconds(print, LEARNED, NINE_OF_TEN) ? 1 : 0;
            errors += RemainingTime.seconds(print, LEARNED, 0) - (total - elapsed);
        }
        return new Accuracy((double) likely / PRINTS, (double) latest / PRINTS, errors / PRINTS / ESTIMATE);
    }

    @Test
    void learnedTimeIsKeptWhenThePrinterReportsNothing() {
        Accuracy accuracy = accuracyOf((_, _) -> null);
        assertThat(accuracy.likely()).isBetween(0.45, 0.55);
        assertThat(accuracy.latest()).isBetween(0.87, 0.97);
    }

    @Test
    void learnedTimeIsKeptWhenThePrinterReportsProgressOfTheEstimate() {
        Accuracy accuracy = accuracyOf((total, elapsed) -> ESTIMATE * (1 - elapsed / total));
        assertThat(accuracy.meanError()).isCloseTo(0, within(0.03));
        assertThat(accuracy.latest()).isGreaterThan(0.75);
    }

    @Test
    void remainderIsCloseToTheTruthWhenThePrinterReportsIt() {
        assertThat(accuracyOf((total, elapsed) -> total - elapsed).meanError()).isCloseTo(0, within(0.03));
    }

    @Test
    void reportedRemainderAloneCountsWhenItContradictsTheEstimate() {
        FarmState.CurrentJob print = new FarmState.CurrentJob("job", 60, 5, 7200.0, null);
        assertThat(RemainingTime.seconds(print, LEARNED, 0)).isCloseTo(7200, within(1.0));
    }

    @Test
    void printLongerThanAnyLearnedStillHasTimeLeft() {
        FarmState.CurrentJob print = new FarmState.CurrentJob("job", ESTIMATE, 10 * ESTIMATE, null, null);
        assertThat(RemainingTime.seconds(print, LEARNED, 0)).isBetween(1.0, ESTIMATE);
        assertThat(RemainingTime.seconds(print, LEARNED, NINE_OF_TEN)).isFinite();
    }

    @Test
    void printThatJustBeganTakesItsLearnedTimeWhenThePrinterReportsTheEstimate() {
        FarmState.CurrentJob print = new FarmState.CurrentJob("job", ESTIMATE, 0, ESTIMATE, null);
        assertThat(RemainingTime.seconds(print, LEARNED, 0)).isCloseTo(1.15 * ESTIMATE, within(1.0));
    }
}
