package farm.gantry.api.schedule;

import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.FilamentUseRows;
import farm.gantry.api.printer.readiness.PrinterConditionRows;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterModel;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.LoadedSpools;
import farm.gantry.schedule.PrinterCondition;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.SlotFilament;
import farm.gantry.schedule.Throttle;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Loads printers and matching rules for the scheduler and its explanations. */
@Singleton
public final class CandidateLoader {
    private final Table<Printer> printers;
    private final Table<PrinterThrottleGroup> groups;
    private final Table<StoreSettings> settings;
    private final Table<PrinterModel> models;
    private final SlicerBundles bundles;
    private final SchedulerRows rows;
    private final PrinterConditionRows conditions;
    private final ThrottleHoldRows holds;
    private final PrinterStateRows states;
    private final FilamentUseRows uses;
    private final Capabilities capabilities;
    private final InstantSource clock;

    CandidateLoader(
            Tables tables,
            SlicerBundles bundles,
            SchedulerRows rows,
            PrinterConditionRows conditions,
            ThrottleHoldRows holds,
            PrinterStateRows states,
            FilamentUseRows uses,
            Capabilities capabilities,
            InstantSource clock) {
        this.printers = tables.of(Printer.class);
        this.groups = tables.of(PrinterThrottleGroup.class);
        this.settings = tables.of(StoreSettings.class);
        this.models = tables.of(PrinterModel.class);
        this.bundles = bundles;
        this.rows = rows;
        this.conditions = conditions;
        this.clock = clock;
        this.holds = holds;
        this.states = states;
        this.uses = uses;
        this.capabilities = capabilities;
    }

    public StoreSettings loadSettings(Tx tx) {
        return settings.find(tx, tx.store().value()).orElseThrow();
    }

    public JobMatcher loadMatcher(Tx tx, StoreSettings store) {
        return new JobMatcher(
                rows.groups(tx),
                modelNames(tx),
                store.defaultMachineProfileId() != null,
                store.defaultProcessProfileId() != null,
                store.defaultFilamentProfileId() != null,
                store.allowOtherModels(),
                store.allowCheckOverride(),
                store.requireSufficientMaterial(),
                store.queuePausedAt() != null);
    }

    private PrinterModelCatalog modelNames(Tx tx) {
        List<PrinterModel> own = models.find(tx, ListQuery.all(models.columns()));
        return own.isEmpty()
                ? bundles.modelNames()
                : bundles.modelNames()
                        .with(own.stream().map(PrinterModel::modelName).toList());
    }

    /** Returns the printers that can take a job now. Throttle groups are ignored, because they only delay the start. */
    List<Candidate> loadFree(Tx tx, Instant now) {
        return loadAll(
                tx,
                ListQuery.all(printers.columns(), Printer::isAvailable, "true")
                        .where(Filter.of(printers.columns().get(Printer::commMethod), Operator.eq, "fuse")),
                null,
                Set.of(),
                now);
    }

    /** Locks and returns the printers, without their filament. */
    Map<String, Candidate> lockAndLoad(Tx tx, Collection<String> printerIds, Instant now) {
        Map<String, Printer> held = printers.lockAll(tx, printerIds);
        Map<String, PrinterCondition> known = conditions.find(tx, printerIds, now);
        Map<String, Candidate> candidates = new LinkedHashMap<>();
        held.forEach((id, printer) -> {
            PrinterCondition condition = Objects.requireNonNull(known.get(id));
            candidates.put(id, new Candidate(printer, condition, false, List.of()));
        });
        return candidates;
    }

    /** Returns all printers of the store. */
    public List<Candidate> loadAll(Tx tx) {
        return loadAll(tx, ListQuery.all(printers.columns()), null, findFullGroups(tx), clock.instant());
    }

    /** Returns the candidates for a job, with the filament that it reserved itself counted as free. */
    public List<Candidate> loadForJob(Tx tx, String jobId) {
        return loadAll(tx, ListQuery.all(printers.columns()), jobId, findFullGroups(tx), clock.instant());
    }

    private List<Candidate> loadAll(Tx tx, ListQuery query, @Nullable String jobId, Set<String> full, Instant now) {
        List<Printer> found = printers.find(tx, query);
        if (found.isEmpty()) {
            return List.of();
        }
        Map<String, PrinterCondition> known = conditions.findAll(tx, now);
        Function<String, List<SlotFilament>> loaded = loadFilaments(tx);
        Map<String, Map<PrintJob.Slot, LoadedSpools.Spool>> spools = uses.findSpools(tx, jobId);
        return found.stream()
                .filter(printer -> known.containsKey(printer.id()))
                .map(printer -> new Candidate(
                        printer,
                        Objects.requireNonNull(known.get(printer.id())),
                        printer.throttleGroupId() != null && full.contains(printer.throttleGroupId()),
                        loaded.apply(printer.id()),
                        spools.containsKey(printer.id())
                                ? new LoadedSpools(
                                        Objects.requireNonNull(spools.get(printer.id())),
                                        capabilities.find(printer).hasAbility("filament", "autoRefill"))
                                : LoadedSpools.NONE))
                .toList();
    }

    /** Returns the ids of throttle groups without a free place. */
    private Set<String> findFullGroups(Tx tx) {
        Map<String, List<Throttle.Hold>> held = holds.all(tx);
        if (held.isEmpty()) {
            return Set.of();
        }
        Set<String> full = new HashSet<>();
        groups.find(tx, ListQuery.all(groups.columns())).stream()
                .filter(group -> group.enabled()
                        && held.getOrDefault(group.id(), List.of()).size() >= group.maxConcurrentStarts())
                .forEach(group -> full.add(group.id()));
        return full;
    }

    /** Returns a function from a printer id to its loaded filament. */
    Function<String, List<SlotFilament>> loadFilaments(Tx tx) {
        Map<String, List<SlotFilament>> said = rows.filaments(tx);
        Map<String, List<PrinterState.FilamentSlot>> seen = states.filamentSlots(tx);
        return printerId ->
                mergeFilaments(said.getOrDefault(printerId, List.of()), seen.getOrDefault(printerId, List.of()));
    }

    /** Returns the ids of the jobs whose assigned slots no longer contain the filament that they request. */
    Set<String> findMisloaded(
            Tx tx, JobMatcher matching, Map<String, Requirement> requirements, Collection<PrintJob> jobs) {
        if (requirements.values().stream().noneMatch(JobMatcher::asksForFilament)) {
            return Set.of();
        }
        Function<String, List<SlotFilament>> loaded = loadFilaments(tx);
        return jobs.stream()
                .filter(job -> job.assignedPrinterId() != null
                        && !matching.assignedSlotsMatch(
                                Objects.requireNonNull(requirements.get(job.id())),
                                job.materialMapping(),
                                loaded.apply(job.assignedPrinterId())))
                .map(PrintJob::id)
                .collect(Collectors.toSet());
    }

    /**
     * Merges the filament assigned by people with that reported by the printer: the printer decides whether a slot is empty, the person
     * what it contains.
     */
    static List<SlotFilament> mergeFilaments(List<SlotFilament> assigned, List<PrinterState.FilamentSlot> reported) {
        List<SlotFilament> loaded = new ArrayList<>();
        for (SlotFilament filament : assigned) {
            Optional<PrinterState.FilamentSlot> slot = reported.stream()
                    .filter(each -> isAt(each, filament.slot()))
                    .findFirst();
            boolean isKnown = filament.materialType() != null || filament.materialId() != null;
            if (slot.map(PrinterState.FilamentSlot::loaded).orElse(isKnown)) {
                String type = isKnown
                        ? filament.materialType()
                        : slot.map(PrinterState.FilamentSlot::materialType).orElse(null);
                loaded.add(new SlotFilament(
                        filament.slot(), filament.variantId(), filament.materialId(), type, filament.hasProfile()));
            }
        }
        reported.stream()
                .filter(PrinterState.FilamentSlot::loaded)
                .filter(slot -> assigned.stream().noneMatch(filament -> isAt(slot, filament.slot())))
                .map(slot -> new SlotFilament(
                        new PrintJob.Slot(slot.amsIndex(), slot.slotIndex()), null, null, slot.materialType(), false))
                .forEach(loaded::add);
        loaded.sort(Comparator.comparingInt(
                        (SlotFilament filament) -> filament.slot().amsIndex())
                .thenComparingInt(filament -> filament.slot().slotIndex()));
        return loaded;
    }

    private static boolean isAt(PrinterState.FilamentSlot seen, PrintJob.Slot slot) {
        return Objects.equals(new PrintJob.Slot(seen.amsIndex(), seen.slotIndex()), slot);
    }
}
