package farm.gantry.promise;

/**
 * How far the true duration of prints lies from what was estimated: the logarithm of actual / estimated is distributed
 * normally, with this mean and standard deviation.
 */
public record Deviation(double mean, double spread) {
    /** What is assumed where nothing was printed yet. */
    public static final Deviation UNKNOWN = new Deviation(0, 0.15);

    /** How many prints an assumption weighs as much as. */
    private static final double WEIGHT = 8;

    /** What prints tell of it: their number, and the sums of the logarithms and of their squares. */
    public record Observed(long count, double sum, double sumOfSquares) {
        Observed and(Observed other) {
            return new Observed(count + other.count, sum + other.sum, sumOfSquares + other.sumOfSquares);
        }
    }

    /** What is to be expected after these prints, where this one was expected before them. */
    public Deviation after(Observed prints) {
        double weight = WEIGHT + prints.count();
        double learned = (WEIGHT * mean + prints.sum()) / weight;
        double squares = WEIGHT * (spread * spread + mean * mean) + prints.sumOfSquares();
        return new Deviation(learned, Math.sqrt(Math.max(0, squares / weight - learned * learned)));
    }

    /** By what an estimate is to be multiplied, so many standard deviations from the middle of all cases. */
    double factor(double deviations) {
        return Math.exp(mean + spread * deviations);
    }

    /** Returns how many standard deviations a ratio of actual to estimated time lies from the middle; the inverse of factor. */
    double deviationsOf(double factor) {
        return (Math.log(factor) - mean) / Math.max(spread, 1e-6);
    }
}
