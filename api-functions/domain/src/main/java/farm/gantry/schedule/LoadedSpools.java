package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The spools in a printer's slots; {@code refills} is true if the printer switches to another spool by itself when one is empty. */
public record LoadedSpools(Map<PrintJob.Slot, Spool> bySlot, boolean refills) {
    public static final LoadedSpools NONE = new LoadedSpools(Map.of(), false);

    /** The tolerance in grams below which a shortage is ignored, because estimates are inexact. */
    private static final double TOLERANCE = 0.05;

    /** The resolution of a printer's measurement in grams: a percent of a kilogram. */
    private static final double NOTABLE_GRAMS = 25;

    /** Returns whether a printer's measurement of the remaining filament differs enough to replace the stored value, which may be null. */
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

    /** Returns whether the remaining filament of any spool is known. */
    boolean isKnown() {
        return bySlot.values().stream().anyMatch(spool -> spool.remainingGrams() != null);
    }

    /** Returns a modifiable map of the grams that jobs may still use by slot, for the slots where this is known. */
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

    /** Returns the grams missing by slot, for spools that are known not to have enough. */
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

    /**
     * Returns the sort key of a slot, lower is better: spools that suffice by least remaining filament, then unknown ones, then those that
     * lack filament by least shortage.
     */
    double sortKey(PrintJob.Slot slot, double grams) {
        Double free = free(slot);
        if (free == null) {
            return UNKNOWN;
        }
        return grams - free > TOLERANCE ? UNKNOWN + grams - free : free;
    }

    private static final double UNKNOWN = 1e9;
}
