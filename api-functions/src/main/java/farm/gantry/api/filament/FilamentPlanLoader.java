package farm.gantry.api.filament;

import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.schedule.CandidateLoader;
import farm.gantry.api.schedule.SchedulerRows;
import farm.gantry.filament.LoadPlan;
import farm.gantry.filament.PlannedSpool;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.printer.PrinterState;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.LoadedSpools;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.SlotFilament;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Loads a store's queue, printers and spools for filament plans. */
@Singleton
final class FilamentPlanLoader {
    private final CandidateLoader candidates;
    private final SchedulerRows scheduled;
    private final PrinterStateRows states;
    private final FilamentPlanRows rows;

    FilamentPlanLoader(
            CandidateLoader candidates, SchedulerRows scheduled, PrinterStateRows states, FilamentPlanRows rows) {
        this.candidates = candidates;
        this.scheduled = scheduled;
        this.states = states;
        this.rows = rows;
    }

    /** Returns the printers in service, and the spools in none of them. */
    LoadPlan.Farm loadFarm(Tx tx, List<Candidate> printers, List<FilamentPlanRows.StoredSpool> spools) {
        Map<String, Long> busy = rows.busySeconds(tx);
        Map<String, List<SlotFilament>> said = scheduled.filaments(tx);
        Map<String, List<PrinterState.FilamentSlot>> seen = states.filamentSlots(tx);
        List<LoadPlan.LoadedPrinter> machines = printers.stream()
                .map(printer -> {
                    String id = printer.printer().id();
                    SortedMap<PrintJob.Slot, @Nullable PlannedSpool> places = new TreeMap<>();
                    said.getOrDefault(id, List.of()).forEach(each -> places.put(each.slot(), null));
                    seen.getOrDefault(id, List.of())
                            .forEach(each -> places.put(new PrintJob.Slot(each.amsIndex(), each.slotIndex()), null));
                    printer.filaments().forEach(each -> places.put(each.slot(), roll(each, printer.spools())));
                    if (places.isEmpty()) {
                        places.put(new PrintJob.Slot(0, 0), null);
                    }
                    return new LoadPlan.LoadedPrinter(id, busy.getOrDefault(id, 0L), places);
                })
                .toList();
        return new LoadPlan.Farm(
                machines,
                spools.stream()
                        .filter(spool -> !spool.isLoaded())
                        .map(FilamentPlanRows.StoredSpool::roll)
                        .toList());
    }

    List<Candidate> loadPrinters(Tx tx) {
        return candidates.loadAll(tx).stream()
                .filter(each -> each.printer().enabled()
                        && !each.printer().isInMaintenance()
                        && each.printer().quarantinedAt() == null)
                .toList();
    }

    JobMatcher loadMatcher(Tx tx) {
        return candidates.loadMatcher(tx, candidates.loadSettings(tx));
    }

    private static PlannedSpool roll(SlotFilament filament, LoadedSpools spools) {
        LoadedSpools.Spool spool = spools.bySlot().get(filament.slot());
        return new PlannedSpool(
                spool == null ? null : spool.instanceId(),
                filament.variantId(),
                filament.materialId(),
                filament.materialType(),
                spool == null ? null : spool.freeGrams());
    }

    /** Returns the first waiting jobs, in queue order. */
    List<PlacementPlanner.WaitingJob> loadWaiting(Tx tx, int most) {
        return scheduled.waiting(tx, candidates.loadSettings(tx), most);
    }

    List<LoadPlan.Job> loadJobs(
            Tx tx, List<PlacementPlanner.WaitingJob> waiting, JobMatcher matching, List<Candidate> printers) {
        Map<String, Long> seconds = rows.seconds(tx);
        Map<Requirement, Set<String>> suited = new HashMap<>();
        return waiting.stream()
                .map(job -> new LoadPlan.Job(
                        job.jobId(),
                        seconds.getOrDefault(job.jobId(), 0L),
                        listedNeeds(job.requirement()),
                        suited.computeIfAbsent(
                                job.requirement(),
                                asked -> printers.stream()
                                        .filter(printer -> matching.canPrintOnceLoaded(asked, printer))
                                        .map(printer -> printer.printer().id())
                                        .collect(Collectors.toUnmodifiableSet()))))
                .toList();
    }

    /** Returns the filament that the job needs: the listed ones, or any filament if the file lists none. */
    static List<LoadPlan.SpoolNeed> needs(Requirement job) {
        List<LoadPlan.SpoolNeed> listed = listedNeeds(job);
        return listed.isEmpty()
                ? List.of(new LoadPlan.SpoolNeed(List.of(), job.need().total()))
                : listed;
    }

    /**
     * Returns the filament that the job chooses or its file lists. Filaments with equal choices come from one spool. A filament without a
     * choice needs the type that the file was made for; without a type, any filament. Those come last, so that they get the slots that
     * nothing else needs.
     */
    private static List<LoadPlan.SpoolNeed> listedNeeds(Requirement job) {
        Map<List<Assignment>, @Nullable Double> needs = new LinkedHashMap<>();
        job.materials().forEach((index, wishes) -> {
            if (!wishes.isEmpty()) {
                Double grams = job.need().gramsOfFilament(index);
                Double before = needs.get(wishes);
                needs.put(wishes, before == null || grams == null ? grams : Double.valueOf(before + grams));
            }
        });
        List<LoadPlan.SpoolNeed> all = new ArrayList<>();
        needs.forEach((wishes, grams) -> all.add(new LoadPlan.SpoolNeed(wishes, grams)));
        job.unchosenFilaments()
                .forEach(filament -> all.add(new LoadPlan.SpoolNeed(
                        filament.type() == null
                                ? List.of()
                                : List.of(new Assignment(null, null, filament.type(), null)),
                        job.need().gramsOfFilament(filament.index()))));
        all.sort(Comparator.comparing(need -> need.wishes().isEmpty()));
        return all;
    }
}
