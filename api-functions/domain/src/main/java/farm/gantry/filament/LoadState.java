package farm.gantry.filament;

import farm.gantry.job.PrintJob;
import farm.gantry.schedule.Matching;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The farm while a plan is made: what is where, what is left of it, and when printers are free. */
final class LoadState {
    private final Matching matching;
    private final Map<String, SortedMap<PrintJob.Slot, @Nullable Roll>> places = new LinkedHashMap<>();
    private final Map<String, Long> freeAt = new HashMap<>();
    private final Map<String, Double> left = new HashMap<>();
    private final List<Roll> shelf;
    private final List<LoadPlan.Load> loads = new ArrayList<>();
    private final Map<String, Map<PrintJob.Slot, List<String>>> served = new HashMap<>();

    LoadState(Matching matching, LoadPlan.Farm farm) {
        this.matching = matching;
        this.shelf = new ArrayList<>(farm.shelf());
        farm.machines().forEach(machine -> {
            places.put(machine.printerId(), new TreeMap<>(machine.places()));
            freeAt.put(machine.printerId(), machine.freeInSeconds());
        });
    }

    List<LoadPlan.Load> loads() {
        return loads.stream()
                .sorted(Comparator.comparingLong(LoadPlan.Load::inSeconds))
                .toList();
    }

    Set<String> printers() {
        return places.keySet();
    }

    long freeAt(String printer) {
        return freeAt.getOrDefault(printer, 0L);
    }

    /** Place → the need that it serves, of a job; needs that nothing loaded serves are left out. */
    Map<PrintJob.Slot, LoadPlan.Need> serving(String printer, LoadPlan.Job job) {
        Map<PrintJob.Slot, LoadPlan.Need> serving = new HashMap<>();
        for (LoadPlan.Need need : job.needs()) {
            places.getOrDefault(printer, new TreeMap<>()).entrySet().stream()
                    .filter(place -> !serving.containsKey(place.getKey()))
                    .filter(place -> suffices(place.getValue(), need))
                    .min(Comparator.comparingInt(
                            place -> rank(place.getValue(), need).orElse(Integer.MAX_VALUE)))
                    .ifPresent(place -> serving.put(place.getKey(), need));
        }
        return serving;
    }

    private boolean suffices(@Nullable Roll roll, LoadPlan.Need need) {
        return roll != null && rank(roll, need).isPresent() && (need.grams() == null || leftOf(roll) >= need.grams());
    }

    private OptionalInt rank(@Nullable Roll roll, LoadPlan.Need need) {
        return roll == null ? OptionalInt.empty() : roll.rank(matching, need.wishes());
    }

    private double leftOf(Roll roll) {
        if (roll.freeGrams() == null) {
            return Double.MAX_VALUE;
        }
        return roll.instanceId() == null ? roll.freeGrams() : left.getOrDefault(roll.instanceId(), roll.freeGrams());
    }

    /** The needs of the job for which the printer must be loaded; null where it has not the places. */
    @Nullable
    List<LoadPlan.Need> missing(String printer, LoadPlan.Job job) {
        if (job.needs().size() > places.getOrDefault(printer, new TreeMap<>()).size()) {
            return null;
        }
        List<LoadPlan.Need> missing = new ArrayList<>(job.needs());
        serving(printer, job).values().forEach(missing::remove);
        return missing;
    }

    /**
     * Prints the job on the printer, which is loaded for it first: empty places before others, and of those the ones with
     * the greatest {@code nextUse}. {@code pending} is how many grams of a need wait in all.
     */
    void print(String printer, LoadPlan.Job job, ToIntFunction<Roll> nextUse, double pending) {
        Map<PrintJob.Slot, LoadPlan.Need> serving = serving(printer, job);
        List<LoadPlan.Need> missing = new ArrayList<>(job.needs());
        serving.values().forEach(missing::remove);
        SortedMap<PrintJob.Slot, @Nullable Roll> here = places.getOrDefault(printer, new TreeMap<>());
        for (LoadPlan.Need need : missing) {
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
            Roll roll = here.get(slot);
            if (roll != null && roll.instanceId() != null && roll.freeGrams() != null && need.grams() != null) {
                left.put(roll.instanceId(), leftOf(roll) - need.grams());
            }
            Optional.ofNullable(served.getOrDefault(printer, Map.of()).get(slot))
                    .ifPresent(jobs -> jobs.add(job.id()));
        });
        freeAt.merge(printer, job.seconds(), Long::sum);
    }

    private void load(String printer, PrintJob.Slot slot, LoadPlan.Need need, double pending) {
        Roll roll = shelf.stream()
                .filter(each -> suffices(each, need))
                .min(Comparator.comparingInt((Roll each) -> rank(each, need).orElse(Integer.MAX_VALUE))
                        .thenComparing(each -> leftOf(each) < pending)
                        .thenComparingDouble(each -> leftOf(each) < pending ? -leftOf(each) : leftOf(each)))
                .orElseGet(() -> Roll.of(matching, need.wishes()));
        shelf.remove(roll);
        SortedMap<PrintJob.Slot, @Nullable Roll> here = places.getOrDefault(printer, new TreeMap<>());
        Roll replaced = here.put(slot, roll);
        if (replaced != null && replaced.instanceId() != null) {
            shelf.add(replaced);
        }
        List<String> jobs = new ArrayList<>();
        served.computeIfAbsent(printer, _ -> new HashMap<>()).put(slot, jobs);
        loads.add(new LoadPlan.Load(printer, slot, freeAt(printer), roll, replaced, jobs));
    }

    /** The printers that hold all the job takes, of those that could print it. */
    Set<String> loadedFor(LoadPlan.Job job) {
        Set<String> loaded = new HashSet<>();
        for (String printer : job.printerIds()) {
            List<LoadPlan.Need> missing = places.containsKey(printer) ? missing(printer, job) : null;
            if (missing != null && missing.isEmpty()) {
                loaded.add(printer);
            }
        }
        return loaded;
    }
}
