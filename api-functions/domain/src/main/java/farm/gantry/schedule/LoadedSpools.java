package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The spools in a printer's slots; {@code refills} is whether the printer switches to another spool by itself when one is
 * empty.
 */
public record LoadedSpools(Map<PrintJob.Slot, Spool> bySlot, boolean refills) {
    public static final LoadedSpools NONE = new LoadedSpools(Map.of(), false);

    /** Less than this is no lack: estimates are not that exact. */
    private static final double TOLERANCE = 0.05;

    /** Printers count what is left in percents of a kilogram, and weigh no better. */
    private static final double NOTABLE_GRAMS = 25;

    /** Returns whether what a printer tells to be left of a spool corrects what is kept, which is null where nobody said. */
    public static boolean isCorrection(double toldGrams, @Nullable Double keptGrams) {
        return keptGrams == null || Math.abs(toldGrams - keptGrams) >= NOTABLE_GRAMS;
    }

    /** The grams left on a spool, null if unknown, and the grams reserved by active jobs. */
    public record Spool(String instanceId, @Nullable Double remainingGrams, double reservedGrams) {
        /** Returns the grams that a job may still use; null if unknown. */
        public @Nullable Double freeGrams() {
            return remainingGrams == null ? null : Double.valueOf(Math.max(0, remainingGrams - reservedGrams));
        }
    }

    /** Returns whether of any spool it is known how much is left. */
    boolean isKnown() {
        return bySlot.values().stream().anyMatch(spool -> spool.remainingGrams() != null);
    }

    /** Place → the grams that jobs may still take there, of the places where that is known; may be changed. */
    public Map<PrintJob.Slot, Double> freeGrams() {
        Map<PrintJob.Slot, Double> free = new HashMap<>();
        bySlot.forEach(
                (slot, spool) -> Optional.ofNullable(spool.freeGrams()).ifPresent(grams -> free.put(slot, grams)));
        return free;
    }

    private @Nullable Double free(PrintJob.Slot slot) {
        Spool spool = bySlot.get(slot);
        return spool == null ? null : spool.freeGrams();
    }

    /** The places that are known to have less than is needed of them, and the grams they lack. */
    SortedMap<PrintJob.Slot, Double> lackingGrams(SortedMap<PrintJob.Slot, Double> needed) {
        SortedMap<PrintJob.Slot, Double> lacking = new TreeMap<>();
        needed.forEach((slot, grams) -> {
            Double free = free(slot);
            if (free != null && grams - free > TOLERANCE) {
                lacking.put(slot, grams - free);
            }
        });
        return lacking;
    }

    /** The less, the better: a spool that suffices by the least left on it, then what is not known, then what lacks least. */
    double sortKey(PrintJob.Slot slot, double grams) {
        Double free = free(slot);
        if (free == null) {
            return UNKNOWN;
        }
        return grams - free > TOLERANCE ? UNKNOWN + grams - free : free;
    }

    private static final double UNKNOWN = 1e9;
}
