package farm.gantry.filament;

import farm.gantry.job.PrintJob;
import farm.gantry.schedule.JobMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The simulated farm while a plan is made: the spools in the slots, their remaining grams, and when printers become free. */
final class LoadPlanState {
    private final JobMatcher matching;
    private final Map<String, SortedMap<PrintJob.Slot, @Nullable PlannedSpool>> places = new LinkedHashMap<>();
    private final Map<String, Long> freeAt = new HashMap<>();
    private final Map<String, Double> left = new HashMap<>();
    private final List<PlannedSpool> shelf;
    private final List<LoadPlan.SpoolChange> loads = new ArrayList<>();
    private final Map<String, Map<PrintJob.Slot, List<String>>> served = new HashMap<>();

    LoadPlanState(JobMatcher matching, LoadPlan.Farm farm) {
        this.matching = matching;
        this.shelf = new ArrayList<>(farm.shelf());
        farm.machines().forEach(machine -> {
            places.put(machine.printerId(), new TreeMap<>(machine.places()));
            freeAt.put(machine.printerId(), machine.freeInSeconds());
        });
    }

    List<LoadPlan.SpoolChange> loads() {
        return loads.stream()
                .sorted(Comparator.comparingLong(LoadPlan.SpoolChange::inSeconds))
                .toList();
    }

    Set<String> printers() {
        return places.keySet();
    }

    long freeAt(String printer) {
        return freeAt.getOrDefault(printer, 0L);
    }

    /**
     * Returns the need that each slot serves for the job. Needs that no loaded spool serves are left out. A printer of which no spool is
     * known serves a need of any filament, as for the scheduler.
     */
    Map<PrintJob.Slot, LoadPlan.SpoolNeed> servedNeeds(String printer, LoadPlan.Job job) {
        Map<PrintJob.Slot, LoadPlan.SpoolNeed> serving = new HashMap<>();
        SortedMap<PrintJob.Slot, @Nullable PlannedSpool> here = places.getOrDefault(printer, new TreeMap<>());
        boolean isUnknown = here.values().stream().allMatch(Objects::isNull);
        for (LoadPlan.SpoolNeed need : job.needs()) {
            here.entrySet().stream()
                    .filter(place -> !serving.containsKey(place.getKey()))
                    .filter(place -> isSufficient(place.getValue(), need)
                            || (isUnknown && need.wishes().isEmpty()))
                    .min(Comparator.comparingInt(
                            place -> matchRank(place.getValue(), need).orElse(Integer.MAX_VALUE)))
                    .ifPresent(place -> serving.put(place.getKey(), need));
        }
        return serving;
    }

    private boolean isSufficient(@Nullable PlannedSpool roll, LoadPlan.SpoolNeed need) {
        return roll != null
                && matchRank(roll, need).isPresent()
                && (need.grams() == null || remainingGrams(roll) >= need.grams());
    }

    private OptionalInt matchRank(@Nullable PlannedSpool roll, LoadPlan.SpoolNeed need) {
        return roll == null ? OptionalInt.empty() : roll.matchRank(matching, need.wishes());
    }

    private double remainingGrams(PlannedSpool roll) {
        if (roll.freeGrams() == null) {
            return Double.MAX_VALUE;
        }
        return roll.instanceId() == null ? roll.freeGrams() : left.getOrDefault(roll.instanceId(), roll.freeGrams());
    }

    /** Returns the needs for which the printer must be loaded; null if it has too few slots. */
    @Nullable
    List<LoadPlan.SpoolNeed> missingNeeds(String printer, LoadPlan.Job job) {
        if (job.needs().size() > places.getOrDefault(printer, new TreeMap<>()).size()) {
            return null;
        }
        List<LoadPlan.SpoolNeed> missing = new ArrayList<>(job.needs());
        servedNeeds(printer, job).values().forEach(missing::remove);
        return missing;
    }

    /**
     * Loads the printer for the job and prints it. Loads empty slots first, then those with the largest {@code nextUse}. {@code pending} is
     * the total number of grams of a need in the queue.
     */
    void print(String printer, LoadPlan.Job job, ToIntFunction<PlannedSpool> nextUse, double pending) {
        Map<PrintJob.Slot, LoadPlan.SpoolNeed> serving = servedNeeds(printer, job);
        List<LoadPlan.SpoolNeed> missing = new ArrayList<>(job.needs());
        serving.values().forEach(missing::remove);
        SortedMap<PrintJob.Slot, @Nullable PlannedSpool> here = places.getOrDefault(printer, new TreeMap<>());
        for (LoadPlan.SpoolNeed need : missing) {
            here.entrySet().stream()
                    .filter(place -> !serving.containsKey(place.getKey()))
                    .max(Comparator.comparingInt(place ->
                            place.getValue() == null ? Integer.MAX_VALUE : nextUse.applyAsInt(place.getValue())))
                    .map(Map.Entry::getKey)
                    .ifPresent(slot -> {
                        load(printer, slot, need, pending);
                        serving.put(slot, need);
                    });
        }
        serving.forEach((slot, need) -> {
            PlannedSpool roll = here.get(slot);
            if (roll != null && roll.instanceId() != null && roll.freeGrams() != null && need.grams() != null) {
                left.put(roll.instanceId(), remainingGrams(roll) - need.grams());
            }
            Optional.ofNullable(served.getOrDefault(printer, Map.of()).get(slot))
                    .ifPresent(jobs -> jobs.add(job.id()));
        });
        freeAt.merge(printer, job.seconds(), Long::sum);
    }

    private void load(String printer, PrintJob.Slot slot, LoadPlan.SpoolNeed need, double pending) {
        PlannedSpool roll = shelf.stream()
                .filter(each -> isSufficient(each, need))
                .min(Comparator.comparingInt(
                                (PlannedSpool each) -> matchRank(each, need).orElse(Integer.MAX_VALUE))
                        .thenComparing(each -> remainingGrams(each) < pending)
                        .thenComparingDouble(
                                each -> remainingGrams(each) < pending ? -remainingGrams(each) : remainingGrams(each)))
                .orElseGet(() -> PlannedSpool.virtualSpool(matching, need.wishes()));
        shelf.remove(roll);
        SortedMap<PrintJob.Slot, @Nullable PlannedSpool> here = places.getOrDefault(printer, new TreeMap<>());
        PlannedSpool replaced = here.put(slot, roll);
        if (replaced != null && replaced.instanceId() != null) {
            shelf.add(replaced);
        }
        List<String> jobs = new ArrayList<>();
        served.computeIfAbsent(printer, _ -> new HashMap<>()).put(slot, jobs);
        loads.add(new LoadPlan.SpoolChange(printer, slot, freeAt(printer), roll, replaced, jobs));
    }

    /** Returns those of the job's possible printers that have all its filament loaded. */
    Set<String> loadedPrinters(LoadPlan.Job job) {
        Set<String> loaded = new HashSet<>();
        for (String printer : job.printerIds()) {
            List<LoadPlan.SpoolNeed> missing = places.containsKey(printer) ? missingNeeds(printer, job) : null;
            if (missing != null && missing.isEmpty()) {
                loaded.add(printer);
            }
        }
        return loaded;
    }
}
