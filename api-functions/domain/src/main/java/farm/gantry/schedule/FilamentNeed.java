package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import farm.gantry.part.SlicingEstimate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The amount of filament that a job needs: {@code grams} in total, null if unknown; {@code estimated} by filament index, as far as the file
 * states it, which divides the total among the filaments. {@code mayLack} is true if a person allowed the job to start on a spool with too
 * little filament.
 */
public record FilamentNeed(
        SortedMap<Integer, Double> estimated, @Nullable Double grams, boolean mayLack) {
    public FilamentNeed(SortedMap<Integer, Double> estimated, @Nullable Double grams) {
        this(estimated, grams, false);
    }

    /** Returns the need of a plate of a file, or of a file without plates, from its slicer's estimate. */
    public static FilamentNeed of(
            @Nullable SlicingEstimate estimate, @Nullable Integer plateId, @Nullable Double grams) {
        if (estimate == null) {
            return new FilamentNeed(new TreeMap<>(), grams);
        }
        List<SlicingEstimate.Material> materials = Stream.ofNullable(estimate.plates())
                .flatMap(List::stream)
                .filter(plate -> plateId != null && plate.plateId() == plateId)
                .findFirst()
                .map(SlicingEstimate.Plate::materials)
                .orElse(estimate.materials());
        SortedMap<Integer, Double> estimated = new TreeMap<>();
        for (SlicingEstimate.Material material : materials) {
            Double used = material.usedGrams();
            if (used == null) { // an index that is missing here would count as unused
                return new FilamentNeed(new TreeMap<>(), grams);
            }
            if (used > 0) {
                estimated.merge(material.index(), used, Double::sum);
            }
        }
        return new FilamentNeed(estimated, grams);
    }

    /** Returns the total, else the sum of the estimates; null if neither is known. */
    public @Nullable Double total() {
        return grams != null ? grams : estimated.isEmpty() ? null : Double.valueOf(sum(estimated));
    }

    boolean isKnown() {
        Double total = total();
        return total != null && total > 0;
    }

    /** Returns whether the plate uses the filament, according to the file: it need not use all filaments of its project. */
    boolean uses(int index) {
        return estimated.isEmpty() || estimated.containsKey(index);
    }

    /** Returns the grams of one filament; null if unknown. */
    public @Nullable Double gramsOfFilament(int index) {
        Double total = total();
        if (total == null || estimated.isEmpty()) {
            return total;
        }
        return total * estimated.getOrDefault(index, 0.0) / sum(estimated);
    }

    /** Returns the share of the total by slot, summing to 1; equal shares if the grams by filament are unknown. */
    public SortedMap<PrintJob.Slot, Double> shares(Map<Integer, PrintJob.Slot> mapping) {
        Map<Integer, Double> known = new HashMap<>(estimated);
        known.keySet().retainAll(mapping.keySet());
        double whole = sum(known);
        SortedMap<PrintJob.Slot, Double> shares = new TreeMap<>();
        mapping.forEach((index, slot) -> {
            double share = whole > 0 ? known.getOrDefault(index, 0.0) / whole : 1.0 / mapping.size();
            if (share > 0) {
                shares.merge(slot, share, Double::sum);
            }
        });
        return shares;
    }

    /** Returns the grams by slot. */
    public SortedMap<PrintJob.Slot, Double> bySlot(Map<Integer, PrintJob.Slot> mapping) {
        Double total = total();
        SortedMap<PrintJob.Slot, Double> grams = shares(mapping);
        grams.replaceAll((_, share) -> share * (total == null ? 0 : total));
        return grams;
    }

    private static double sum(Map<Integer, Double> grams) {
        return grams.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
