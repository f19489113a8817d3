package farm.gantry.promise;

/**
 * Ratio of actual to estimated time, modelled as a log-normal distribution: the logarithm of the ratio has this mean and standard
 * deviation. {@code meanError} is the standard error of the mean, which few prints leave large; it is off for all prints of a farm
 * alike. {@code printerError} is the standard error of the printer's own part of the mean, which is off for all prints of that printer.
 */
public record EstimateError(double mean, double spread, double meanError, double printerError) {
    /** Assumed where nothing was printed yet. */
    public static final EstimateError UNKNOWN = new EstimateError(0, 0.15);

    /** The weight of the prior, as a number of prints. */
    private static final double WEIGHT = 8;

    public EstimateError(double mean, double spread) {
        this(mean, spread, 0, 0);
    }

    /** The statistics of prints: their number, and the sums of the logarithms of the ratios and of their squares. */
    public record Statistics(long count, double sum, double sumOfSquares) {
        static final Statistics NONE = new Statistics(0, 0, 0);

        Statistics plus(Statistics other) {
            return new Statistics(count + other.count, sum + other.sum, sumOfSquares + other.sumOfSquares);
        }

        /** Returns the statistics of the differences from this mean. */
        Statistics relativeTo(double mean) {
            return new Statistics(count, sum - count * mean, sumOfSquares - 2 * mean * sum + count * mean * mean);
        }
    }

    /** Returns the posterior expectation after these prints, with this one as the prior. */
    public EstimateError updatedBy(Statistics prints) {
        return updatedBy(prints, WEIGHT);
    }

    /** Returns the posterior expectation, with this one as the prior that weighs as much as so many prints. */
    EstimateError updatedBy(Statistics prints, double priorWeight) {
        double weight = priorWeight + prints.count();
        double learned = (priorWeight * mean + prints.sum()) / weight;
        double squares = priorWeight * (spread * spread + mean * mean) + prints.sumOfSquares();
        double learnedSpread = Math.sqrt(Math.max(0, squares / weight - learned * learned));
        return new EstimateError(learned, learnedSpread, learnedSpread / Math.sqrt(weight), printerError);
    }

    /** Returns this deviation with a mean that is so many standard errors off, of the farm's mean and of the printer's. */
    EstimateError shifted(double meanErrors, double printerErrors) {
        return new EstimateError(mean + meanError * meanErrors + printerError * printerErrors, spread);
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
