package farm.gantry.cost;

import io.micronaut.serde.annotation.Serdeable;
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
     * Of prints whose grams were counted or not; {@code isRated} is that the printer of one of them has a rate of its own,
     * {@code isOver} that nothing is to be printed any more.
     */
    public static CostBasis of(CostRates rates, List<Boolean> counted, boolean isRated, boolean isOver) {
        Kind grams = kind(
                isOver && !counted.isEmpty() && counted.stream().allMatch(each -> each),
                counted.stream().anyMatch(each -> each));
        Kind time = kind(isOver && !counted.isEmpty(), !counted.isEmpty());
        return new CostBasis(
                grams,
                time,
                isRated || rates.printerHourCents() != null ? time : Kind.notCounted,
                rates.energy() == null ? Kind.notCounted : Kind.assumed,
                rates.labour() == null ? Kind.notCounted : Kind.assumed);
    }

    private static Kind kind(boolean isAll, boolean isSome) {
        return isAll ? Kind.measured : isSome ? Kind.partly : Kind.assumed;
    }
}
