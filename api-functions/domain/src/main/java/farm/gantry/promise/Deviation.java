package farm.gantry.promise;

/**
 * Ratio of actual to estimated print time, modelled as a log-normal distribution: the logarithm of the ratio has this mean and
 * standard deviation. {@code meanError} is the standard error of the mean, which few prints leave large; it is off for all prints of
 * a farm alike.
 */
public record Deviation(double mean, double spread, double meanError) {
    /** Assumed where nothing was printed yet. */
    public static final Deviation UNKNOWN = new Deviation(0, 0.15);

    /** The weight of the prior, as a number of prints. */
    private static final double WEIGHT = 8;

    public Deviation(double mean, double spread) {
        this(mean, spread, 0);
    }

    /** The statistics of prints: their number, and the sums of the logarithms of the ratios and of their squares. */
    public record Observed(long count, double sum, double sumOfSquares) {
        Observed and(Observed other) {
            return new Observed(count + other.count, sum + other.sum, sumOfSquares + other.sumOfSquares);
        }
    }

    /** Returns the posterior expectation after these prints, with this one as the prior. */
    public Deviation after(Observed prints) {
        double weight = WEIGHT + prints.count();
        double learned = (WEIGHT * mean + prints.sum()) / weight;
        double squares = WEIGHT * (spread * spread + mean * mean) + prints.sumOfSquares();
        double learnedSpread = Math.sqrt(Math.max(0, squares / weight - learned * learned));
        return new Deviation(learned, learnedSpread, learnedSpread / Math.sqrt(weight));
    }

    /** Returns this deviation with a mean that is so many standard errors off. */
    Deviation off(double standardErrors) {
        return new Deviation(mean + meanError * standardErrors, spread);
    }

    /** Returns the factor of an estimate at this many standard deviations from the median. */
    double factor(double deviations) {
        return Math.exp(mean + spread * deviations);
    }

    /** Returns how many standard deviations a ratio of actual to estimated time lies from the middle; the inverse of factor. */
    double deviationsOf(double factor) {
        return (Math.log(factor) - mean) / Math.max(spread, 1e-6);
    }
}
