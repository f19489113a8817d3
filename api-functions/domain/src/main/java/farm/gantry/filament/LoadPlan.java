package farm.gantry.filament;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The spools to load into the printers' slots, in order of time, and the jobs that no printer can print. */
public record LoadPlan(List<SpoolChange> loads, List<String> unplacedJobIds) {

    /**
     * A spool to put into a place {@code inSeconds} from now, in place of another; one whose {@code roll} has no id is to be
     * found or bought. {@code jobIds} are the jobs that are printed from it then.
     */
    public record SpoolChange(
            String printerId,
            PrintJob.Slot slot,
            long inSeconds,
            PlannedSpool roll,
            @Nullable PlannedSpool replaced,
            List<String> jobIds) {}

    /** A filament that a job takes, and how much; null where nobody knows. */
    public record SpoolNeed(List<Assignment> wishes, @Nullable Double grams) {}

    /** A job that waits; {@code printerIds} are the printers that could print it with the right filaments. */
    public record Job(String id, long seconds, List<SpoolNeed> needs, Set<String> printerIds) {}

    /** A printer that is free in so many seconds, and what is in its places; an empty place holds null. */
    public record LoadedPrinter(String printerId, long freeInSeconds, SortedMap<PrintJob.Slot, @Nullable PlannedSpool> places) {}

    /** The farm's printers, and its spools that are in none of them. */
    public record Farm(List<LoadedPrinter> machines, List<PlannedSpool> shelf) {}
}
