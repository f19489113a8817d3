package farm.gantry.filament;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The spools to load into printers' slots, in order of time, and the jobs that no printer can print. */
public record LoadPlan(List<SpoolChange> loads, List<String> unplacedJobIds) {

    /**
     * A spool to load into a slot in {@code inSeconds} seconds. {@code replaced} is the spool that it replaces. If {@code roll} has no id,
     * no such spool is known, and one must be found or bought. {@code jobIds} are the jobs that are then printed from it.
     */
    public record SpoolChange(
            String printerId,
            PrintJob.Slot slot,
            long inSeconds,
            PlannedSpool roll,
            @Nullable PlannedSpool replaced,
            List<String> jobIds) {}

    /** The filament that a job needs: the acceptable materials, any if empty, and the grams, null if unknown. */
    public record SpoolNeed(
            List<Assignment> wishes, @Nullable Double grams) {}

    /** A waiting job; {@code printerIds} are the printers that could print it with the right filament. */
    public record Job(String id, long seconds, List<SpoolNeed> needs, Set<String> printerIds) {}

    /** A printer, the seconds until it is free, and the spools in its slots; an empty slot is null. */
    public record LoadedPrinter(
            String printerId, long freeInSeconds, SortedMap<PrintJob.Slot, @Nullable PlannedSpool> places) {}

    /** The farm's printers, and the spools that are in none of them. */
    public record Farm(List<LoadedPrinter> machines, List<PlannedSpool> shelf) {}
}
