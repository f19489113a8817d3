package farm.gantry.promise;

/**
 * How good the remaining time is that the printers of a provider report, half-way through a print: the ratio of the actual remaining
 * time to the reported one, and to the one extrapolated from the progress that the report implies.
 */
public record RemainingTimeAccuracy(EstimateError reported, EstimateError extrapolate) {
    /** Assumed until prints have shown better. */
    public static final RemainingTimeAccuracy UNKNOWN = new RemainingTimeAccuracy(new EstimateError(0, 0.3), new EstimateError(0, 0.5));

    /** The weight of the prior, as a number of prints. */
    private static final double WEIGHT = 1;

    /** The least progress, as a share, from which the remaining time is extrapolated. */
    private static final double MIN_PROGRESS = 0.05;

    /** The statistics of prints: the ratios of the actual remaining time to the reported and to the extrapolated one. */
    public record Statistics(EstimateError.Statistics reported, EstimateError.Statistics extrapolated) {}

    static RemainingTimeAccuracy learn(Statistics prints) {
        return new RemainingTimeAccuracy(
                UNKNOWN.reported().updatedBy(prints.reported(), WEIGHT),
                UNKNOWN.extrapolate().updatedBy(prints.extrapolated(), WEIGHT));
    }

    RemainingTimeAccuracy shifted(double meanErrors) {
        return new RemainingTimeAccuracy(reported.shifted(meanErrors, 0), extrapolate.shifted(meanErrors, 0));
    }

    /**
     * Returns the remaining time in seconds, extrapolated from the elapsed time and the progress that the report implies; 0 if that
     * progress is below 5 %.
     */
    public static double extrapolate(double estimated, double elapsed, double reported) {
        double progress = estimated <= 0 ? 0 : 1 - reported / estimated;
        return progress < MIN_PROGRESS ? 0 : elapsed * (1 - progress) / progress;
    }
}
