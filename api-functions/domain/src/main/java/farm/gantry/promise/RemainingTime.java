package farm.gantry.promise;

/**
 * Estimates the remaining time of a running print. The learned ratio of actual to estimated time gives the total time; the
 * printer's own remaining time gains weight as the print progresses.
 */
public final class RemainingTime {
    /** Makes the logistic function close to the normal distribution's. */
    private static final double LOGISTIC_SCALE = 1.702;

    private static final double MAX_DEVIATIONS = 30;

    /** The maximum factor between the printer's expectation and the estimate. */
    private static final double MAX_DISAGREEMENT = 2;

    /** The tolerance for a printer that counts an estimate down, because it rounds. */
    private static final double COUNTDOWN_SECONDS = 2;

    private RemainingTime() {}

    /** Returns whether the printer only counts the estimate down, as Klipper does, which says nothing of this print. */
    public static boolean isCountdown(double estimated, double elapsed, double reported) {
        return Math.abs(elapsed + reported - estimated) <= Math.max(COUNTDOWN_SECONDS, estimated / 100);
    }

    /** Returns the seconds left of a print, so many standard deviations from the middle of all cases. */
    static double seconds(FarmState.CurrentJob print, Deviation deviation, double deviations) {
        Double reported = print.reportedSeconds();
        if (reported != null && !agrees(print, reported)) {
            return reported * deviation.factor(deviations) / deviation.factor(0);
        }
        double learned = learned(print, deviation, deviations);
        if (reported == null) {
            return learned;
        }
        double elapsed = print.elapsedSeconds();
        double done = elapsed <= 0 ? 0 : elapsed / (elapsed + reported);
        return (1 - done) * learned + done * reported * Math.pow(deviation.factor(deviations), 1 - done);
    }

    /** Returns whether the printer expects about the time that was estimated; else the estimate is not one of this print. */
    private static boolean agrees(FarmState.CurrentJob print, double reported) {
        double whole = print.elapsedSeconds() + reported;
        return whole < print.estimatedSeconds() * MAX_DISAGREEMENT
                && print.estimatedSeconds() < whole * MAX_DISAGREEMENT;
    }

    /** The whole time less what has elapsed, of those cases in which the print is not over yet. */
    private static double learned(FarmState.CurrentJob print, Deviation deviation, double deviations) {
        double elapsed = print.elapsedSeconds();
        if (elapsed <= 0) {
            return print.estimatedSeconds() * deviation.factor(deviations);
        }
        double least = deviation.deviationsOf(elapsed / print.estimatedSeconds());
        double longer = longerThan(Math.clamp(least, -MAX_DEVIATIONS, MAX_DEVIATIONS)) * longerThan(deviations);
        double further = Math.log((1 - longer) / longer) / LOGISTIC_SCALE;
        return Math.max(1, print.estimatedSeconds() * deviation.factor(further) - elapsed);
    }

    /** The share of prints that lie further than so many standard deviations from the middle. */
    private static double longerThan(double deviations) {
        return 1 / (1 + Math.exp(LOGISTIC_SCALE * deviations));
    }
}
