package farm.gantry.schedule;

import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrintableArea;
import farm.gantry.printer.Printer;
import farm.gantry.printer.TemperatureLimits;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A printer as the scheduler sees it; {@code isThrottled} is that its throttle group lets nobody start now, {@code spools}
 * is what is known of the spools in its places.
 */
public record Candidate(
        Printer printer, PrinterCondition condition, boolean isThrottled, List<SlotFilament> filaments, LoadedSpools spools) {

    /** Creates a candidate whose spools are unknown. */
    public Candidate(Printer printer, PrinterCondition condition, boolean isThrottled, List<SlotFilament> filaments) {
        this(printer, condition, isThrottled, filaments, LoadedSpools.NONE);
    }

    /** Orders printers by their last print, least recently used first; those that never printed come before all others. */
    public static final Comparator<Candidate> BY_LAST_USE = Comparator.comparing(
                    (Candidate candidate) -> candidate.printer().lastPrintedAt(),
                    Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(candidate -> candidate.printer().id());

    /** All properties by which a job may distinguish printers, except their names and the grams left on their spools. */
    public record Kind(
            @Nullable String modelName,
            String nozzleDiameter,
            Printer.@Nullable Provider provider,
            List<String> tags,
            boolean hasMachineProfile,
            boolean hasProcessProfile,
            @Nullable BedSize bedSize,
            @Nullable PrintableArea printableArea,
            TemperatureLimits temperatureLimits,
            List<SlotFilament> filaments) {}

    public Kind kind() {
        return new Kind(
                printer.modelName(),
                printer.nozzleDiameter(),
                printer.provider(),
                printer.tags(),
                hasMachineProfile(),
                hasProcessProfile(),
                printer.bedSize(),
                printer.printableArea(),
                TemperatureLimits.of(printer),
                filaments);
    }

    boolean hasMachineProfile() {
        return printer.machineUserProfileId() != null || printer.machineSystemProfileId() != null;
    }

    boolean hasProcessProfile() {
        return printer.processUserProfileId() != null || printer.processSystemProfileId() != null;
    }
}
