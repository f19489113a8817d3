package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares the remaining time of prints that take 15 % longer than estimated with the truth, half-way through the
 * estimate.
 */
class RemainingTimeEstimatorTest {
    private static final EstimateError LEARNED = new EstimateError(Math.log(1.15), 0.1);
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
            likely +=
                    total - elapsed <= RemainingTimeEstimator.seconds(print, LEARNED, RemainingTimeAccuracy.UNKNOWN, 0)
                            ? 1
                            : 0;
            latest += total - elapsed
                            <= RemainingTimeEstimator.seconds(
                                    print, LEARNED, RemainingTimeAccuracy.UNKNOWN, NINE_OF_TEN)
                    ? 1
                    : 0;
            errors += RemainingTimeEstimator.seconds(print, LEARNED, RemainingTimeAccuracy.UNKNOWN, 0)
                    - (total - elapsed);
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
        assertThat(RemainingTimeEstimator.seconds(print, LEARNED, RemainingTimeAccuracy.UNKNOWN, 0))
                .isCloseTo(7200, within(1.0));
    }

    @Test
    void printLongerThanAnyLearnedStillHasTimeLeft() {
        FarmState.CurrentJob print = new FarmState.CurrentJob("job", ESTIMATE, 10 * ESTIMATE, null, null);
        assertThat(RemainingTimeEstimator.seconds(print, LEARNED, RemainingTimeAccuracy.UNKNOWN, 0))
                .isBetween(1.0, ESTIMATE);
        assertThat(RemainingTimeEstimator.seconds(print, LEARNED, RemainingTimeAccuracy.UNKNOWN, NINE_OF_TEN))
                .isFinite();
    }

    @Test
    void printThatJustBeganTakesItsLearnedTimeWhenThePrinterReportsTheEstimate() {
        FarmState.CurrentJob print = new FarmState.CurrentJob("job", ESTIMATE, 0, ESTIMATE, null);
        assertThat(RemainingTimeEstimator.seconds(print, LEARNED, RemainingTimeAccuracy.UNKNOWN, 0))
                .isCloseTo(1.15 * ESTIMATE, within(1.0));
    }

    /** Learns from prints whose printer reports half-way what this print's printer reports. */
    private static RemainingTimeAccuracy learned(Report report) {
        Random random = new Random(5);
        EstimateError.Statistics reported = EstimateError.Statistics.NONE;
        EstimateError.Statistics extrapolated = EstimateError.Statistics.NONE;
        for (int i = 0; i < 200; i++) {
            double total = ESTIMATE * LEARNED.factor(random.nextGaussian());
            double half = total / 2;
            double seconds = Objects.requireNonNull(report.seconds(total, half));
            reported = reported.plus(ratio(half / seconds));
            extrapolated = extrapolated.plus(ratio(half / RemainingTimeAccuracy.extrapolate(ESTIMATE, half, seconds)));
        }
        return RemainingTimeAccuracy.learn(new RemainingTimeAccuracy.Statistics(reported, extrapolated));
    }

    private static EstimateError.Statistics ratio(double ratio) {
        double log = Math.log(ratio);
        return new EstimateError.Statistics(1, log, log * log);
    }

    private static double meanErrorOfLearned(Report report) {
        RemainingTimeAccuracy provider = learned(report);
        Random random = new Random(12);
        double errors = 0;
        for (int i = 0; i < PRINTS; i++) {
            double total = ESTIMATE * LEARNED.factor(random.nextGaussian());
            double half = total / 2;
            FarmState.CurrentJob print =
                    new FarmState.CurrentJob("job", ESTIMATE, half, report.seconds(total, half), null);
            errors += Math.abs(RemainingTimeEstimator.seconds(print, LEARNED, provider, 0) - half) / half;
        }
        return errors / PRINTS;
    }

    @Test
    void reportIsTrustedOfAProviderWhoseReportsWereRight() {
        assertThat(meanErrorOfLearned((total, elapsed) -> total - elapsed)).isLessThan(0.01);
    }

    @Test
    void progressIsTrustedOfAProviderWhosePrintersCountTheEstimateDownByProgress() {
        assertThat(meanErrorOfLearned((total, elapsed) -> ESTIMATE * (1 - elapsed / total)))
                .isLessThan(0.02);
    }

    @Test
    void reportOfAProviderThatIsAlwaysTooShortIsCorrected() {
        assertThat(meanErrorOfLearned((total, elapsed) -> 0.7 * (total - elapsed)))
                .isLessThan(0.02);
    }

    @Test
    void learnedSpeedOfASimulatedPrinterAppliesToItsReports() {
        EstimateError twelveTimesAsFast = new EstimateError(-Math.log(12), 0.1);
        RemainingTimeAccuracy provider = new RemainingTimeAccuracy(twelveTimesAsFast, new EstimateError(0, 0.1));
        FarmState.CurrentJob print = new FarmState.CurrentJob("job", 2400, 150, 600.0, null);
        assertThat(RemainingTimeEstimator.seconds(print, twelveTimesAsFast, provider, 0))
                .isCloseTo(50, within(5.0));
    }
}
