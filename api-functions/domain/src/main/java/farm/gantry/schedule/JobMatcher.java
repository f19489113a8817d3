package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import farm.gantry.job.TagRule;
import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.printer.Printer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a printer may take work, and this job: the scheduler and its explanations ask the same rules. {@code groups}
 * is material group → its variants, {@code models} the catalogue of printer models; the flags are whether the store has
 * profiles for who has none of his own, lets G-code go to another model than it was made for, lets a job that names its printer override the checks of its
 * G-code ({@link ToolpathCheck}), lets a job wait for a
 * spool that suffices, and has paused its queue.
 */
public record JobMatcher(
        Map<String, Set<String>> groups,
        PrinterModelCatalog models,
        boolean hasMachineProfile,
        boolean hasProcessProfile,
        boolean hasFilamentProfile,
        boolean allowsOtherModels,
        boolean allowsOverride,
        boolean requiresSufficientMaterial,
        boolean isQueuePaused) {
    private static final Rule[] OF_PRINTER =
            Arrays.stream(Rule.values()).filter(Rule::isOfPrinter).toArray(Rule[]::new);
    private static final Rule[] OF_JOB = Arrays.stream(Rule.values())
            .filter(rule -> !rule.isOfPrinter() && rule.preventsAssignment())
            .toArray(Rule[]::new);

    /** Returns whether a printer that fails the rule gets no job. */
    boolean preventsAssignment(Rule rule, Requirement job) {
        return rule == Rule.MATERIAL_SUFFICIENT ? requiresEnoughFilament(job) : rule.preventsAssignment();
    }

    /** Returns whether the job waits for spools that are known to have enough left, or of which that is not known. */
    boolean requiresEnoughFilament(Requirement job) {
        return requiresSufficientMaterial && !job.need().mayLack();
    }

    /** Returns whether the printer takes work at all. */
    public boolean isFree(Candidate candidate) {
        return Arrays.stream(OF_PRINTER).allMatch(rule -> passesPrinterRule(rule, candidate));
    }

    /** Returns whether the printer will take work once it is free and its bed is clear. */
    public boolean isServing(Candidate candidate) {
        return findOutOfServiceRule(candidate).isEmpty();
    }

    /** Returns the first rule by which the printer takes no jobs, whatever they ask; empty where it is in service. */
    public Optional<Rule> findOutOfServiceRule(Candidate candidate) {
        return Stream.of(
                        Rule.ENABLED,
                        Rule.ONLINE,
                        Rule.STATE_KNOWN,
                        Rule.IN_MAINTENANCE,
                        Rule.QUARANTINED,
                        Rule.QUEUE_PAUSED)
                .filter(rule -> !passesPrinterRule(rule, candidate))
                .findFirst();
    }

    /** Returns whether the printer may continue with the job that it has, though it may get no other. */
    public boolean isWorking(Candidate candidate) {
        return Stream.of(Rule.ONLINE, Rule.STATE_KNOWN).allMatch(rule -> passesPrinterRule(rule, candidate));
    }

    /** Returns whether the job may go to this very printer: what tells printers of one kind apart. */
    public boolean allowsPrinter(Requirement job, Candidate candidate) {
        return !hasFailedOn(job, candidate) && isNamed(job.tags(), candidate);
    }

    private static boolean hasFailedOn(Requirement job, Candidate candidate) {
        return job.failedOn().contains(candidate.printer().id());
    }

    /**
     * The job as it stands among all printers of the farm: those on which it failed are avoided while another that is in
     * service could print it, but for the last of them while any other could.
     */
    public Requirement avoidFailedPrinters(Collection<Candidate> printers, Requirement job) {
        if (job.failedOn().isEmpty()) {
            return job;
        }
        List<Requirement> strictestFirst =
                List.of(job, job.withFailedOn(List.of(job.failedOn().getLast())));
        return strictestFirst.stream()
                .filter(each -> printers.stream()
                        .anyMatch(printer -> isServing(printer) && canPrint(each, printer) && allowsPrinter(each, printer)))
                .findFirst()
                .orElseGet(() -> job.withFailedOn(List.of()));
    }

    /** Returns whether the job could be printed on the printer, were it free; whether it {@link #allowsPrinter} the printer aside. */
    public boolean canPrint(Requirement job, Candidate candidate) {
        for (Rule rule : OF_JOB) {
            if (!passesJobRule(rule, job, candidate)) {
                return false;
            }
        }
        return true;
    }

    /** Returns how well a filament matches the requested materials: lower is better; empty when it matches none. */
    public OptionalInt rank(List<Assignment> wishes, SlotFilament filament) {
        return MaterialMatcher.rank(groups, wishes, filament);
    }

    /** Returns whether the job could be printed on the printer, were the right filament in it. */
    public boolean canPrintOnceLoaded(Requirement job, Candidate candidate) {
        PrintTags tags = job.tags();
        PrintTags ofPrinter = new PrintTags(
                null, tags.printerId(), tags.modelName(), tags.nozzleDiameter(), tags.provider(), tags.userTags());
        return Stream.of(
                                Rule.PROFILES_CONFIGURED,
                                Rule.MODEL_MATCH,
                                Rule.NOZZLE_MATCH,
                                Rule.FITS_VOLUME,
                                Rule.FITS_AREA,
                                Rule.TEMPERATURE_LIMIT,
                                Rule.EXTRUDES,
                                Rule.PART_HELD)
                        .allMatch(rule -> passesJobRule(rule, job, candidate))
                && hasTags(ofPrinter, candidate)
                && allowsPrinter(job, candidate);
    }

    /** Returns whether the printer is one that the job's file was made for, whatever is loaded there. */
    public boolean fitsMachine(Requirement job, Candidate candidate) {
        return Stream.of(
                        Rule.MODEL_MATCH,
                        Rule.NOZZLE_MATCH,
                        Rule.FITS_VOLUME,
                        Rule.FITS_AREA,
                        Rule.TEMPERATURE_LIMIT,
                        Rule.EXTRUDES)
                .allMatch(rule -> passesJobRule(rule, job, candidate));
    }

    /** Returns whether the places that the job was given hold what it asks for; one that it was not given is not looked at. */
    public boolean assignedSlotsMatch(
            Requirement job, @Nullable Map<String, PrintJob.Slot> places, Collection<SlotFilament> loaded) {
        return fits(job.tags().filamentType(), filamentTypes(loaded))
                && job.materials().entrySet().stream()
                        .filter(wished -> !wished.getValue().isEmpty())
                        .allMatch(wished -> {
                            PrintJob.Slot place = places == null ? null : places.get(String.valueOf(wished.getKey()));
                            return place == null
                                    || loaded.stream()
                                            .filter(filament -> filament.slot().equals(place))
                                            .anyMatch(filament -> rank(wished.getValue(), filament)
                                                    .isPresent());
                        });
    }

    public boolean passes(Rule rule, Requirement job, Candidate candidate) {
        return rule.isOfPrinter()
                ? passesPrinterRule(rule, candidate)
                : passesJobRule(rule, job, candidate)
                        && (rule != Rule.TAGS_MATCH || isNamed(job.tags(), candidate))
                        && (rule != Rule.FAILED_THERE || !hasFailedOn(job, candidate));
    }

    private boolean passesPrinterRule(Rule rule, Candidate candidate) {
        Printer printer = candidate.printer();
        PrinterCondition condition = candidate.condition();
        return switch (rule) {
            case ENABLED -> printer.enabled();
            case ONLINE -> printer.isOnline() && isServed(printer);
            case STATE_KNOWN -> condition.isFit() && condition.heldBack() == null;
            case AVAILABLE -> printer.printingJobId() == null && !condition.isBusy();
            case READY -> isReady(candidate);
            case IN_MAINTENANCE -> !printer.isInMaintenance();
            case QUARANTINED -> printer.quarantinedAt() == null;
            case QUEUE_PAUSED -> !isQueuePaused;
            case PROFILES_CONFIGURED,
                    MODEL_MATCH,
                    NOZZLE_MATCH,
                    FITS_VOLUME,
                    FITS_AREA,
                    TEMPERATURE_LIMIT,
                    EXTRUDES,
                    SLOTS_LOADED,
                    TAGS_MATCH,
                    MATERIAL_MATCH,
                    MATERIAL_SUFFICIENT,
                    FILAMENT_PROFILES,
                    FAILED_THERE,
                    PART_HELD,
                    THROTTLED -> true;
        };
    }

    /** Returns whether a job may start on the printer's bed. */
    public static boolean isReady(Candidate candidate) {
        Printer printer = candidate.printer();
        PrinterCondition condition = candidate.condition();
        Integer left = printer.continuousRemainingJobs();
        boolean isContinuous = printer.continuousPrint() && (left == null || left > 0);
        return condition.bed().isFree(isContinuous) && !condition.isClearing();
    }

    static boolean isServed(Printer printer) {
        return printer.commMethod() == Printer.CommMethod.fuse
                && printer.proxyClientId() != null
                && printer.deviceId() != null;
    }

    private boolean passesJobRule(Rule rule, Requirement job, Candidate candidate) {
        return switch (rule) {
            case PROFILES_CONFIGURED -> !job.needsSlicing() || canBeSliced(job, candidate);
            case MODEL_MATCH -> compareModel(job, candidate.printer()).passes();
            case NOZZLE_MATCH -> ModelMatcher.hasNozzle(job, candidate.printer());
            case FITS_VOLUME -> hasRoom(job, candidate.printer());
            case FITS_AREA -> checkToolpath(job, candidate.printer()).isWithinArea();
            case TEMPERATURE_LIMIT -> checkToolpath(job, candidate.printer()).isWithinTemperatures();
            case EXTRUDES -> checkToolpath(job, candidate.printer()).isPrint();
            case SLOTS_LOADED -> !asksForMaterial(job) || !candidate.filaments().isEmpty();
            case TAGS_MATCH -> hasTags(job.tags(), candidate);
            case MATERIAL_MATCH -> unmetFilaments(job, candidate).isEmpty();
            case MATERIAL_SUFFICIENT ->
                candidate.spools().refills() || lackingGrams(job, candidate).isEmpty();
            case FILAMENT_PROFILES ->
                !job.needsSlicing()
                        || hasFilamentProfile
                        || (filamentsWithoutProfile(job, candidate).isEmpty()
                                && (job.hasProcess() || !assignSlots(job, candidate).isEmpty()));
            case PART_HELD -> !job.isPartHeld();
            case THROTTLED -> !candidate.isThrottled();
            case ENABLED,
                    ONLINE,
                    STATE_KNOWN,
                    AVAILABLE,
                    READY,
                    IN_MAINTENANCE,
                    QUARANTINED,
                    FAILED_THERE,
                    QUEUE_PAUSED -> true;
        };
    }

    /** A bed of unknown size is no reason to refuse it either. */
    static boolean hasRoom(Requirement job, Printer printer) {
        BedSize needed = job.size();
        BedSize bed = printer.bedSize();
        return needed == null || bed == null || bed.fits(needed);
    }

    ToolpathCheck checkToolpath(Requirement job, Printer printer) {
        return new ToolpathCheck(job, printer, allowsOverride);
    }

    ModelMatcher.Result compareModel(Requirement job, Printer printer) {
        return new ModelMatcher(models, allowsOtherModels).compare(job, printer);
    }

    boolean canBeSliced(Requirement job, Candidate candidate) {
        return (hasMachineProfile || candidate.hasMachineProfile())
                && (hasProcessProfile || job.hasProcess() || candidate.hasProcessProfile());
    }

    /** Returns whether it matters to the job what is loaded. */
    public static boolean asksForFilament(Requirement job) {
        return asksForMaterial(job) || job.tags().filamentType() != null;
    }

    static boolean asksForMaterial(Requirement job) {
        return job.materials().values().stream().anyMatch(wishes -> !wishes.isEmpty());
    }

    /** The filaments that ask for what the printer does not hold. */
    List<Map.Entry<Integer, List<Assignment>>> unmetFilaments(Requirement job, Candidate candidate) {
        if (!asksForMaterial(job)) {
            return List.of();
        }
        MaterialMatcher fit = new MaterialMatcher(groups, candidate);
        return job.materials().entrySet().stream()
                .filter(wished -> !fit.isAnyLoaded(wished.getValue()))
                .toList();
    }

    /** The filaments the job would take that no slicer can be told of. */
    List<SlotFilament> filamentsWithoutProfile(Requirement job, Candidate candidate) {
        Collection<PrintJob.Slot> taken = assignSlots(job, candidate).values();
        return candidate.filaments().stream()
                .filter(filament -> !filament.hasProfile() && taken.contains(filament.slot()))
                .toList();
    }

    /** Returns the printer's slot for each filament of the job. */
    public SortedMap<Integer, PrintJob.Slot> assignSlots(Requirement job, Candidate candidate) {
        return new MaterialMatcher(groups, candidate).assignSlots(job);
    }

    /** The places whose spools are known not to have enough for the job, and the grams they lack. */
    SortedMap<PrintJob.Slot, Double> lackingGrams(Requirement job, Candidate candidate) {
        return candidate.spools().isKnown() && job.need().isKnown()
                ? candidate.spools().lackingGrams(job.need().bySlot(assignSlots(job, candidate)))
                : Collections.emptySortedMap();
    }

    private static boolean hasTags(PrintTags tags, Candidate candidate) {
        return matchesTagsOfKind(tags, candidate.printer()) && fits(tags.filamentType(), filamentTypes(candidate.filaments()));
    }

    /** Returns whether a printer has what the tags ask for, other than its name and what is loaded in it. */
    private static boolean matchesTagsOfKind(PrintTags tags, Printer printer) {
        return fits(tags.modelName(), printer.modelName())
                && fits(tags.nozzleDiameter(), printer.nozzleDiameter())
                && fits(
                        tags.provider(),
                        printer.provider() == null ? null : printer.provider().wireName())
                && fits(tags.userTags(), printer.tags());
    }

    /** Returns whether a printer is one that the tags allow, whatever is loaded in it. */
    public static boolean allows(PrintTags tags, Printer printer) {
        return matchesTagsOfKind(tags, printer) && fits(tags.printerId(), printer.id());
    }

    static List<String> filamentTypes(Collection<SlotFilament> loaded) {
        return loaded.stream()
                .map(SlotFilament::materialType)
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
        return rule == null || TagRule.parse(rule).accepts(present);
    }
}
