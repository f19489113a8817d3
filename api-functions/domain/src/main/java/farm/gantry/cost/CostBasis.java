package farm.gantry.cost;

import io.micronaut.serde.annotation.Serdeable;
import java.util.Collection;
import java.util.List;

/** Whether the figures of a cost are measured or assumed; energy and labour are known by their rates alone. */
@Serdeable
public record CostBasis(Kind grams, Kind time, Kind machine, Kind energy, Kind labour) {

    /** {@code partly} is that some of it was measured; {@code notCounted} that the store has no rate for it. */
    @Serdeable
    public enum Kind {
        measured,
        partly,
        assumed,
        notCounted
    }

    /**
     * Returns the basis of prints that ended or are still to come.
     *
     * @param counted of each print that ended, whether its grams were counted
     * @param isOver whether nothing is to be printed any more
     */
    public static CostBasis of(Collection<PrintRates> rates, List<Boolean> counted, boolean isOver) {
        Kind grams = kind(
                isOver && !counted.isEmpty() && counted.stream().allMatch(each -> each),
                counted.stream().anyMatch(each -> each));
        Kind time = kind(isOver && !counted.isEmpty(), !counted.isEmpty());
        boolean isEnergyCounted = rates.stream().anyMatch(each -> each.ofStore().energy() != null);
        boolean isLabourCounted = rates.stream().anyMatch(each -> each.ofStore().labour() != null);
        return new CostBasis(
                grams,
                time,
                rates.stream().anyMatch(each -> each.hourlyCents() != null) ? time : Kind.notCounted,
                isEnergyCounted ? Kind.assumed : Kind.notCounted,
                isLabourCounted ? Kind.assumed : Kind.notCounted);
    }

    private static Kind kind(boolean isAll, boolean isSome) {
        return isAll ? Kind.measured : isSome ? Kind.partly : Kind.assumed;
    }
}
