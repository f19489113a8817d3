package farm.gantry.promise;

import java.util.ArrayList;
import java.util.List;

/**
 * Estimates the remaining time of a running print from up to three sources: the learned ratio of actual to estimated time, the
 * printer's own remaining time, and the progress that it implies. Each is weighted by the inverse of its
 * variance, which is learned per provider for the printer's own two. The learned ratio loses weight as the print progresses.
 */
public final class RemainingTimeEstimator {
    /** Makes the logistic function close to the normal distribution's. */
    private static final double LOGISTIC_SCALE = 1.702;

    private static final double MAX_DEVIATIONS = 30;

    /** The maximum factor between the printer's expected total time and the estimate; beyond it, the estimate is not of this print. */
    private static final double MAX_DISAGREEMENT = 2;

    /** The tolerance when detecting a countdown, because printers round. */
    private static final double COUNTDOWN_SECONDS = 2;

    private static final double MIN_VARIANCE = 1e-6;

    private RemainingTimeEstimator() {}

    /**
     * Returns whether the printer only counts down the slicer's estimate, as Klipper does. Such a value contains no information about this
     * print.
     */
    public static boolean isCountdown(double estimated, double elapsed, double reported) {
        return Math.abs(elapsed + reported - estimated) <= Math.max(COUNTDOWN_SECONDS, estimated / 100);
    }

    /** Returns the remaining seconds of a print at this many standard deviations from the median. */
    static double seconds(
            FarmState.CurrentJob print, EstimateError deviation, RemainingTimeAccuracy provider, double deviations) {
        Double reported = print.reportedSeconds();
        if (reported != null && !isCloseToEstimate(print, deviation, reported)) {
            return reported * deviation.factor(deviations) / deviation.factor(0);
        }
        double learned = fromLearnedRatio(print, deviation, deviations);
        if (reported == null || reported <= 0 || print.elapsedSeconds() <= 0) {
            return learned;
        }
        double spread = Math.log(fromLearnedRatio(print, deviation, 1) / fromLearnedRatio(print, deviation, -1)) / 2;
        List<Estimate> estimates = new ArrayList<>();
        estimates.add(new Estimate(learned, spread));
        estimates.add(new Estimate(
                reported * provider.reported().factor(deviations),
                provider.reported().spread()));
        double extrapolated =
                RemainingTimeAccuracy.extrapolate(print.estimatedSeconds(), print.elapsedSeconds(), reported);
        if (extrapolated > 0) {
            estimates.add(new Estimate(
                    extrapolated * provider.extrapolate().factor(deviations),
                    provider.extrapolate().spread()));
        }
        return combine(estimates);
    }

    private record Estimate(double seconds, double spread) {
        double weight() {
            return 1 / Math.max(MIN_VARIANCE, spread * spread);
        }
    }

    /** Returns the geometric mean weighted by inverse variance. All estimates are shifted by the same number of standard deviations. */
    private static double combine(List<Estimate> estimates) {
        double weights = estimates.stream().mapToDouble(Estimate::weight).sum();
        return Math.exp(estimates.stream()
                        .mapToDouble(each -> each.weight() * Math.log(each.seconds()))
                        .sum()
                / weights);
    }

    /**
     * Returns whether the printer's expected total time is close to the estimate; otherwise the estimate is not of this print. The elapsed
     * time is corrected by the learned speed of the printer, because a simulated printer may be many times as fast as its estimates.
     */
    private static boolean isCloseToEstimate(FarmState.CurrentJob print, EstimateError deviation, double reported) {
        double whole = print.elapsedSeconds() / deviation.factor(0) + reported;
        return whole < print.estimatedSeconds() * MAX_DISAGREEMENT
                && print.estimatedSeconds() < whole * MAX_DISAGREEMENT;
    }

    /** Returns the remaining time by the learned ratio, conditional on the print not having ended yet. */
    private static double fromLearnedRatio(FarmState.CurrentJob print, EstimateError deviation, double deviations) {
        double elapsed = print.elapsedSeconds();
        if (elapsed <= 0) {
            return print.estimatedSeconds() * deviation.factor(deviations);
        }
        double least = deviation.deviationsOf(elapsed / print.estimatedSeconds());
        double longer =
                probabilityAbove(Math.clamp(least, -MAX_DEVIATIONS, MAX_DEVIATIONS)) * probabilityAbove(deviations);
        double further = Math.log((1 - longer) / longer) / LOGISTIC_SCALE;
        return Math.max(1, print.estimatedSeconds() * deviation.factor(further) - elapsed);
    }

    /** Returns the probability that a print lies further than this many standard deviations above the median. */
    private static double probabilityAbove(double deviations) {
        return 1 / (1 + Math.exp(LOGISTIC_SCALE * deviations));
    }
}
