package farm.gantry.promise;

import java.util.HashMap;
import java.util.Map;

/**
 * How far the prints of each printer differ from those of its model, as logarithms of ratios. Both variances, within printers and
 * between them, are estimated from the prints; a printer's own mean is shrunk to zero by their ratio, so that few prints change little.
 */
final class PrinterBiases {
    /** The assumed variance of prints of one printer, and its weight as a number of prints. */
    private static final double WITHIN = EstimateError.UNKNOWN.spread() * EstimateError.UNKNOWN.spread();

    private static final double WITHIN_WEIGHT = 8;

    /** The assumed variance between printers of one model, and its weight as a number of printers. */
    private static final double BETWEEN = 0.05 * 0.05;

    private static final double BETWEEN_WEIGHT = 4;

    private static final double MIN_BETWEEN = 1e-6;

    private final Map<String, EstimateError.Statistics> printers;
    private final double within;
    private final double between;

    /** The standard deviation of one printer's prints, as a share of that of all prints. */
    private final double spreadShare;

    /** Learns from each printer's differences to the mean of its model and profile. */
    PrinterBiases(Map<String, EstimateError.Statistics> differences) {
        this.printers = new HashMap<>(differences);
        EstimateError.Statistics all =
                differences.values().stream().reduce(EstimateError.Statistics::plus).orElse(EstimateError.Statistics.NONE);
        double ofPrinters = differences.values().stream()
                .mapToDouble(each -> each.sum() * each.sum() / each.count())
                .sum();
        int count = differences.size();
        double squares = Math.max(0, all.sumOfSquares() - ofPrinters);
        this.within = (WITHIN_WEIGHT * WITHIN + squares) / (WITHIN_WEIGHT + all.count() - count);
        this.between = Math.max(
                MIN_BETWEEN,
                (BETWEEN_WEIGHT * BETWEEN + Math.max(0, count - 1) * varianceBetweenPrinters(all, ofPrinters, count))
                        / (BETWEEN_WEIGHT + Math.max(0, count - 1)));
        double total = (WITHIN_WEIGHT * WITHIN + all.sumOfSquares()) / (WITHIN_WEIGHT + all.count());
        this.spreadShare = Math.sqrt(Math.min(1, within / total));
    }

    /** Returns the variance between printers that explains the differences of their means, by analysis of variance. */
    private double varianceBetweenPrinters(EstimateError.Statistics all, double ofPrinters, int count) {
        if (count < 2) {
            return 0;
        }
        double squaredCounts = printers.values().stream()
                .mapToDouble(each -> (double) each.count() * each.count())
                .sum();
        double meanCount = (all.count() - squaredCounts / all.count()) / (count - 1);
        double meanSquare = (ofPrinters - all.sum() * all.sum() / all.count()) / (count - 1);
        return (meanSquare - within) / meanCount;
    }

    /** Returns the deviation of the printer's prints, from that of all prints of its model and profile. */
    EstimateError of(String printerId, EstimateError ofModel) {
        EstimateError.Statistics prints = printers.getOrDefault(printerId, EstimateError.Statistics.NONE);
        double weight = prints.count() + within / between;
        return new EstimateError(
                ofModel.mean() + prints.sum() / weight,
                ofModel.spread() * spreadShare,
                ofModel.meanError(),
                Math.sqrt(within / weight));
    }
}
