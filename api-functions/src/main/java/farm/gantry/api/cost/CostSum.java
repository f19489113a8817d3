package farm.gantry.api.cost;

import farm.gantry.cost.Cost;
import farm.gantry.cost.CostEstimates;
import farm.gantry.cost.CostCalculator;
import org.jspecify.annotations.Nullable;

/**
 * A sum of prints that ended or are estimated. {@code prints} counts those that ended, {@code seconds} is their time as their printers
 * counted it, {@code hours} is the time from start to end.
 */
record CostSum(
        Cost cost,
        int prints,
        int scrapPrints,
        double grams,
        double seconds,
        double hours,
        boolean isEstimated,
        boolean isComplete) {
    static final CostSum NOTHING = new CostSum(Cost.NOTHING, 0, 0, 0, 0, 0, false, true);
    private static final CostSum IN_OTHER_CURRENCY = new CostSum(Cost.NOTHING, 0, 0, 0, 0, 0, false, false);

    /** Returns the sum of a finished print; a print in another currency is omitted. */
    static CostSum ofPrint(CostRows.GroupedPrint print, String currency) {
        return !print.currency().equals(currency)
                ? IN_OTHER_CURRENCY
                : new CostSum(
                        CostCalculator.calculate(print.print()),
                        1,
                        print.print().scrap() == 1 ? 1 : 0,
                        print.grams(),
                        print.seconds(),
                        print.print().hours(),
                        !print.isMeasured(),
                        print.isWeighed());
    }

    static CostSum ofPrint(PlannedPrintRows.PlannedJob job, CostEstimates estimates, boolean opensOrder) {
        return estimated(estimates.estimate(job.print(opensOrder)), job.grams(), job.seconds(), job.isWeighed());
    }

    /** Returns the sum of the prints of a part for a number of SKUs. */
    static CostSum ofPrint(PlannedPrintRows.PlannedPart part, CostEstimates estimates, int quantity, boolean opensOrder) {
        Cost first = estimates.estimate(part.print(opensOrder));
        Cost others = estimates.estimate(part.print(false)).multipliedBy((double) part.prints() * quantity - 1);
        return estimated(first.plus(others), part.grams() * quantity, part.seconds() * quantity, part.isWeighed());
    }

    private static CostSum estimated(Cost cost, double grams, double seconds, boolean isWeighed) {
        return new CostSum(cost, 0, 0, grams, seconds, seconds / 3600, true, isWeighed);
    }

    CostSum plus(CostSum other) {
        return new CostSum(
                cost.plus(other.cost),
                prints + other.prints,
                scrapPrints + other.scrapPrints,
                grams + other.grams,
                seconds + other.seconds,
                hours + other.hours,
                isEstimated || other.isEstimated,
                isComplete && other.isComplete);
    }

    /** Returns the margin for each of the hours; null where there is no margin or no hour. */
    static @Nullable Double perHour(@Nullable Double margin, double hours) {
        return margin == null || hours == 0 ? null : Double.valueOf(margin / hours);
    }
}
