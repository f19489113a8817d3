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
 * How much filament a job takes: {@code grams} in all, null where nobody knows, and {@code estimated} by filament index as
 * far as its file tells, which says how the whole is shared. {@code mayLack} is that a person lets the job start on a spool that
 * has too little left.
 */
public record FilamentNeed(
        SortedMap<Integer, Double> estimated, @Nullable Double grams, boolean mayLack) {
    public FilamentNeed(SortedMap<Integer, Double> estimated, @Nullable Double grams) {
        this(estimated, grams, false);
    }

    /** Returns the need of a plate of a file, or of a file without plates, as its slicer estimated it. */
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
            if (used == null) { // one that is not listed would count as not used
                return new FilamentNeed(new TreeMap<>(), grams);
            }
            if (used > 0) {
                estimated.merge(material.index(), used, Double::sum);
            }
        }
        return new FilamentNeed(estimated, grams);
    }

    /** The total, or the sum of what is estimated; null where neither is known. */
    public @Nullable Double total() {
        return grams != null ? grams : estimated.isEmpty() ? null : Double.valueOf(sum(estimated));
    }

    boolean isKnown() {
        Double total = total();
        return total != null && total > 0;
    }

    /** Returns whether the filament is used, as far as the file tells: a plate need not use all filaments of its project. */
    boolean uses(int index) {
        return estimated.isEmpty() || estimated.containsKey(index);
    }

    /** The grams of one filament; null where they are not known. */
    public @Nullable Double gramsOfFilament(int index) {
        Double total = total();
        if (total == null || estimated.isEmpty()) {
            return total;
        }
        return total * estimated.getOrDefault(index, 0.0) / sum(estimated);
    }

    /** Place → its share of the whole, in all 1; equal shares of the filaments where their grams are not known. */
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

    /** Place → the grams that come from it. */
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
