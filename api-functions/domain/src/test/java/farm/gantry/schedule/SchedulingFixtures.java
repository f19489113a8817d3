package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.printer.PrintableArea;
import farm.gantry.printer.Printer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Printers and jobs as test data. */
public final class SchedulingFixtures {
    public static final FilamentNeed UNKNOWN_NEED = new FilamentNeed(new TreeMap<>(), null);
    public static final JobMatcher RULES = new JobMatcher(
            Map.of("g", Set.of("red", "blue")), PrinterModelCatalog.BUILT_IN, false, false, false, false, false, false, false);
    public static final PrintTags NO_TAGS = new PrintTags(null, null, null, null, null, null);

    private static final PrinterCondition FREE =
            new PrinterCondition(false, true, false, new BedState(true, true, false, null, null), null);

    private SchedulingFixtures() {}

    /** Returns a free printer whose last print was this many seconds after the beginning. */
    public static Candidate printer(String id, long lastPrinted, SlotFilament... filaments) {
        return new Candidate(record(id, lastPrinted, true, null), FREE, false, List.of(filaments));
    }

    public static Candidate unready(String id) {
        return new Candidate(
                record(id, 0, false, null), new PrinterCondition(false, true, false, BedState.USED, null), false, List.of());
    }

    public static Candidate withMachineProfile(String id, SlotFilament... filaments) {
        return new Candidate(record(id, 0, true, 7L), FREE, false, List.of(filaments));
    }

    private static Printer record(String id, long lastPrinted, boolean ready, @Nullable Long profile) {
        return record(id, lastPrinted, ready, profile, null);
    }

    private static Printer record(
            String id, long lastPrinted, boolean ready, @Nullable Long profile, @Nullable BedSize bed) {
        return record(id, lastPrinted, ready, profile, bed, null, null);
    }

    private static Printer record(
            String id,
            long lastPrinted,
            boolean ready,
            @Nullable Long profile,
            @Nullable BedSize bed,
            @Nullable PrintableArea area,
            @Nullable Map<String, Object> capability) {
        return new Printer(
                id,
                "store",
                Instant.EPOCH,
                Instant.EPOCH,
                id,
                "Trident",
                "0.4",
                bed,
                area,
                Printer.CommMethod.fuse,
                id,
                true,
                ready,
                false,
                null,
                null,
                null,
                true,
                true,
                false,
                null,
                null,
                Instant.ofEpochSecond(lastPrinted),
                0,
                0,
                profile,
                null,
                null,
                Map.of(),
                null,
                capability,
                null,
                null,
                profile,
                "agent",
                List.of("shelf " + id),
                null,
                null,
                null,
                Printer.Provider.firmwareK,
                null,
                null,
                null,
                null);
    }

    /** Returns the filament in the numbered slot: a variant and its material where named, otherwise a type only. */
    public static SlotFilament filament(
            int slot, @Nullable String variant, @Nullable String material, @Nullable String type) {
        return new SlotFilament(new PrintJob.Slot(0, slot), variant, material, type, material != null);
    }

    public static SlotFilament pla(int slot) {
        return filament(slot, null, null, "PLA");
    }

    public static Requirement anything() {
        return tagged(NO_TAGS);
    }

    public static Requirement tagged(PrintTags tags) {
        return new Requirement(
                tags, new TreeMap<>(), List.of(), false, false, null, null, null, UNKNOWN_NEED, List.of(), false);
    }

    public static Requirement on(String printerIds) {
        return tagged(new PrintTags(null, printerIds, null, null, null, null));
    }

    public static Requirement sliced() {
        return new Requirement(
                NO_TAGS, new TreeMap<>(), List.of(), true, false, null, null, null, UNKNOWN_NEED, List.of(), false);
    }

    public static Requirement madeFor(String nozzle) {
        return new Requirement(
                NO_TAGS,
                new TreeMap<>(),
                List.of(),
                false,
                false,
                new Requirement.FileTarget("", List.of(), nozzle, false),
                null,
                null,
                UNKNOWN_NEED,
                List.of(),
                false);
    }

    public static Requirement ofSize(double x, double y, double z) {
        return new Requirement(
                NO_TAGS,
                new TreeMap<>(),
                List.of(),
                false,
                false,
                null,
                new BedSize(x, y, z),
                null,
                UNKNOWN_NEED,
                List.of(),
                false);
    }

    public static Candidate withBed(String id, double x, double y, double z) {
        return new Candidate(record(id, 0, true, null, new BedSize(x, y, z)), FREE, false, List.of());
    }

    public static Candidate withArea(String id, PrintableArea area) {
        return new Candidate(record(id, 0, true, null, null, area, null), FREE, false, List.of());
    }

    public static Candidate withCapability(String id, Map<String, Object> capability) {
        return new Candidate(record(id, 0, true, null, null, null, capability), FREE, false, List.of());
    }

    public static Requirement ofToolpath(Toolpath toolpath, PrintTags tags) {
        return new Requirement(
                tags, new TreeMap<>(), List.of(), false, false, null, null, toolpath, UNKNOWN_NEED, List.of(), false);
    }

    /** Returns a job with these filaments, each by its requirements. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static Requirement of(List<Assignment>... wishes) {
        TreeMap<Integer, List<Assignment>> materials = new TreeMap<>();
        Arrays.stream(wishes).forEach(each -> materials.put(materials.size(), each));
        return new Requirement(
                NO_TAGS, materials, List.of(), false, false, null, null, null, UNKNOWN_NEED, List.of(), false);
    }

    public static Assignment variant(String id) {
        return new Assignment(null, id, null, null);
    }

    public static Assignment material(String id) {
        return new Assignment(id, null, null, null);
    }

    public static Assignment type(String type) {
        return new Assignment(null, null, type, null);
    }

    public static Assignment group(String id) {
        return new Assignment(null, null, null, id);
    }
}
