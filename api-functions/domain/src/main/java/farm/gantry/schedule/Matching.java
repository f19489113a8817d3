package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import farm.gantry.job.TagRule;
import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.Printer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a printer may take work, and this job: the scheduler and its explanations ask the same rules. {@code groups}
 * is material group → its variants; the flags are whether the store has profiles for who has none of his own.
 */
public record Matching(
        Map<String, Set<String>> groups,
        boolean hasMachineProfile,
        boolean hasProcessProfile,
        boolean hasFilamentProfile) {
    private static final Rule[] OF_PRINTER =
            Arrays.stream(Rule.values()).filter(Rule::isOfPrinter).toArray(Rule[]::new);
    private static final Rule[] OF_JOB = Arrays.stream(Rule.values())
            .filter(rule -> !rule.isOfPrinter() && rule.isInTheWay())
            .toArray(Rule[]::new);

    /** Whether the printer takes work at all. */
    public boolean isFree(Candidate candidate) {
        return Arrays.stream(OF_PRINTER).allMatch(rule -> ofPrinter(rule, candidate));
    }

    /** Whether the job could be printed on the printer, were it free; names of printers aside. */
    boolean suits(Requirement job, Candidate candidate) {
        for (Rule rule : OF_JOB) {
            if (!ofJob(rule, job, candidate)) {
                return false;
            }
        }
        return true;
    }

    boolean passes(Rule rule, Requirement job, Candidate candidate) {
        return rule.isOfPrinter()
                ? ofPrinter(rule, candidate)
                : ofJob(rule, job, candidate) && (rule != Rule.TAGS_MATCH || isNamed(job.tags(), candidate));
    }

    private static boolean ofPrinter(Rule rule, Candidate candidate) {
        Printer printer = candidate.printer();
        return switch (rule) {
            case ENABLED -> printer.enabled();
            case ONLINE -> printer.isOnline() && isServed(printer);
            case AVAILABLE -> printer.printingJobId() == null && !candidate.isBusy();
            case READY -> printer.confirmedReady() && !candidate.isClearing();
            case IN_MAINTENANCE -> !printer.isInMaintenance();
            case PROFILES_CONFIGURED, SLOTS_LOADED, TAGS_MATCH, MATERIAL_MATCH, FILAMENT_PROFILES, THROTTLED -> true;
        };
    }

    static boolean isServed(Printer printer) {
        return printer.commMethod() == Printer.CommMethod.fuse
                && printer.proxyClientId() != null
                && printer.deviceId() != null;
    }

    private boolean ofJob(Rule rule, Requirement job, Candidate candidate) {
        return switch (rule) {
            case PROFILES_CONFIGURED -> isConfigured(job, candidate);
            case SLOTS_LOADED -> !asksForMaterial(job) || !candidate.filaments().isEmpty();
            case TAGS_MATCH -> hasTags(job.tags(), candidate);
            case MATERIAL_MATCH -> unmet(job, candidate).isEmpty();
            case FILAMENT_PROFILES ->
                !job.needsSlicing()
                        || hasFilamentProfile
                        || unsliceable(job, candidate).isEmpty();
            case THROTTLED -> !candidate.isThrottled();
            case ENABLED, ONLINE, AVAILABLE, READY, IN_MAINTENANCE -> true;
        };
    }

    private boolean isConfigured(Requirement job, Candidate candidate) {
        return hasRoom(job, candidate.printer())
                && (job.needsSlicing() ? canBeSliced(job, candidate) : hasNozzle(job, candidate.printer()));
    }

    /** A bed of unknown size is no reason to refuse it either. */
    static boolean hasRoom(Requirement job, Printer printer) {
        BedSize needed = job.size();
        BedSize bed = printer.bedSize();
        return needed == null || bed == null || bed.holds(needed);
    }

    boolean canBeSliced(Requirement job, Candidate candidate) {
        return (hasMachineProfile || candidate.hasMachineProfile())
                && (hasProcessProfile || job.hasProcess() || candidate.hasProcessProfile());
    }

    /** G-code is for one nozzle; that it does not say which is no reason to refuse it. */
    private static boolean hasNozzle(Requirement job, Printer printer) {
        String made = job.nozzleDiameter();
        return made == null || made.isBlank() || sizes(made).contains(size(printer.nozzleDiameter()));
    }

    private static List<String> sizes(String diameters) {
        return Arrays.stream(diameters.split("[,;]")).map(Matching::size).toList();
    }

    /** {@code 0.40} and {@code 0.4 mm} are one size. */
    private static String size(String diameter) {
        String digits = diameter.replaceAll("[^0-9.]", "");
        return digits.contains(".") ? digits.replaceFirst("0+$", "").replaceFirst("\\.$", "") : digits;
    }

    static boolean asksForMaterial(Requirement job) {
        return job.materials().values().stream().anyMatch(wishes -> !wishes.isEmpty());
    }

    /** The filaments that ask for what the printer does not hold. */
    List<Map.Entry<Integer, List<Assignment>>> unmet(Requirement job, Candidate candidate) {
        if (!asksForMaterial(job)) {
            return List.of();
        }
        MaterialFit fit = new MaterialFit(groups, candidate.filaments());
        return job.materials().entrySet().stream()
                .filter(wished -> !fit.has(wished.getValue()))
                .toList();
    }

    /** The filaments the job would take that no slicer can be told of. */
    List<Filament> unsliceable(Requirement job, Candidate candidate) {
        Collection<PrintJob.Slot> taken = mapping(job, candidate).values();
        return candidate.filaments().stream()
                .filter(filament -> !filament.hasProfile() && taken.contains(filament.slot()))
                .toList();
    }

    /** Which place of the printer each filament of the job comes from. */
    SortedMap<Integer, PrintJob.Slot> mapping(Requirement job, Candidate candidate) {
        return new MaterialFit(groups, candidate.filaments()).of(job);
    }

    private static boolean hasTags(PrintTags tags, Candidate candidate) {
        Printer printer = candidate.printer();
        return fits(tags.modelName(), printer.modelName())
                && fits(tags.nozzleDiameter(), printer.nozzleDiameter())
                && fits(
                        tags.provider(),
                        printer.provider() == null ? null : printer.provider().wire())
                && fits(tags.userTags(), printer.tags())
                && fits(tags.filamentType(), types(candidate));
    }

    static List<String> types(Candidate candidate) {
        return candidate.filaments().stream()
                .map(Filament::materialType)
                .filter(Objects::nonNull)
                .toList();
    }

    static boolean isNamed(PrintTags tags, Candidate candidate) {
        return fits(tags.printerId(), candidate.printer().id());
    }

    static boolean fits(@Nullable String rule, @Nullable String present) {
        return rule == null || fits(rule, present == null ? List.of() : List.of(present));
    }

    static boolean fits(@Nullable String rule, Collection<String> present) {
        return rule == null || TagRule.of(rule).accepts(present);
    }
}
