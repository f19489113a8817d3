package farm.gantry.filament;

import farm.gantry.schedule.JobMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Plans which spools to load into which slots, so that the queue is printed with few filament changes. A free printer takes the first job
 * for which its loaded filament is sufficient. If there is none, it is loaded for the first job that no printer with the right filament
 * will start within {@link #MAX_WAIT_SECONDS}. It replaces the filament whose next use is furthest away.
 */
public final class LoadPlanner {
    /** The maximum time that a job waits for a printer with its filament while another could be loaded for it: one shift. */
    static final long MAX_WAIT_SECONDS = 8 * 3600;

    private final JobMatcher matching;
    private final LoadPlan.Farm farm;

    public LoadPlanner(JobMatcher matching, LoadPlan.Farm farm) {
        this.matching = matching;
        this.farm = farm;
    }

    /** Returns the better of two plans: one that looks ahead, and first come, first served. */
    public LoadPlan plan(List<LoadPlan.Job> queue) {
        LoadPlan looking = planLookingAhead(queue);
        LoadPlan inTurn = planFirstComeFirstServed(queue);
        return looking.unplacedJobIds().size() > inTurn.unplacedJobIds().size()
                        || looking.loads().size() > inTurn.loads().size()
                ? inTurn
                : looking;
    }

    /**
     * Plans first come, first served: each job in turn goes to the printer that becomes free first, and changes its filament if necessary.
     */
    LoadPlan planFirstComeFirstServed(List<LoadPlan.Job> queue) {
        LoadPlanState state = new LoadPlanState(matching, farm);
        List<String> unplaced = new ArrayList<>();
        for (LoadPlan.Job job : queue) {
            Optional<String> printer = state.printers().stream()
                    .filter(job.printerIds()::contains)
                    .filter(each -> state.missingNeeds(each, job) != null)
                    .min(Comparator.comparingLong(state::freeAt));
            printer.ifPresentOrElse(each -> state.print(each, job, _ -> 0, 0), () -> unplaced.add(job.id()));
        }
        return new LoadPlan(state.loads(), unplaced);
    }

    /** Jobs with equal filament needs and possible printers. */
    private record NeedGroup(List<LoadPlan.SpoolNeed> needs, Set<String> printerIds) {}

    private record QueuedJob(int at, LoadPlan.Job job) {}

    LoadPlan planLookingAhead(List<LoadPlan.Job> queue) {
        LoadPlanState state = new LoadPlanState(matching, farm);
        Map<NeedGroup, List<QueuedJob>> waiting = new LinkedHashMap<>();
        List<String> unplaced = new ArrayList<>();
        for (int i = 0; i < queue.size(); i++) {
            LoadPlan.Job job = queue.get(i);
            if (state.printers().stream()
                    .anyMatch(each -> job.printerIds().contains(each) && state.missingNeeds(each, job) != null)) {
                waiting.computeIfAbsent(new NeedGroup(job.needs(), job.printerIds()), _ -> new ArrayList<>())
                        .add(new QueuedJob(i, job));
            } else {
                unplaced.add(job.id());
            }
        }
        PriorityQueue<String> free =
                new PriorityQueue<>(Comparator.comparingLong(state::freeAt).thenComparing(Comparator.naturalOrder()));
        free.addAll(state.printers());
        Set<String> idle = new HashSet<>();
        while (!waiting.isEmpty()) {
            String printer = free.poll();
            if (printer == null) {
                free.addAll(idle); // the filament that they waited for is being unloaded, or no other printer can start
                idle.clear();
                printer = free.remove();
            }
            List<List<QueuedJob>> lines = groupsInQueueOrder(waiting, printer, state);
            String here = printer;
            Optional<List<QueuedJob>> next = lines.stream()
                    .filter(line -> isLoaded(state, here, line))
                    .findFirst()
                    .or(() -> findUncovered(state, here, lines));
            if (next.isEmpty()) {
                idle.add(printer);
                if (idle.size() == state.printers().size()) {
                    throw new IllegalStateException("every printer leaves a waiting job to another printer");
                }
                continue;
            }
            List<QueuedJob> line = next.get();
            LoadPlan.Job job = line.removeFirst().job();
            state.print(printer, job, nextUse(waiting), pendingGrams(line, job));
            waiting.values().removeIf(List::isEmpty);
            free.add(printer);
        }
        return new LoadPlan(state.loads(), unplaced);
    }

    private static boolean isLoaded(LoadPlanState state, String printer, List<QueuedJob> line) {
        List<LoadPlan.SpoolNeed> missing =
                state.missingNeeds(printer, line.getFirst().job());
        return missing != null && missing.isEmpty();
    }

    private static List<List<QueuedJob>> groupsInQueueOrder(
            Map<NeedGroup, List<QueuedJob>> waiting, String printer, LoadPlanState state) {
        return waiting.values().stream()
                .filter(line -> line.getFirst().job().printerIds().contains(printer)
                        && state.missingNeeds(printer, line.getFirst().job()) != null)
                .sorted(Comparator.comparingInt(line -> line.getFirst().at()))
                .toList();
    }

    /** Returns the first group whose last job no loaded printer will start within the maximum wait. */
    private static Optional<List<QueuedJob>> findUncovered(
            LoadPlanState state, String printer, List<List<QueuedJob>> lines) {
        Map<String, Long> busy = new HashMap<>();
        for (List<QueuedJob> line : lines) {
            Set<String> loaded = state.loadedPrinters(line.getFirst().job());
            loaded.remove(printer);
            for (QueuedJob waiting : line) {
                Optional<String> first = loaded.stream()
                        .min(Comparator.comparingLong(each -> busy.getOrDefault(each, state.freeAt(each))));
                if (first.isEmpty()
                        || busy.getOrDefault(first.get(), state.freeAt(first.get()))
                                > state.freeAt(printer) + MAX_WAIT_SECONDS) {
                    return Optional.of(line);
                }
                busy.merge(
                        first.get(),
                        state.freeAt(first.get()) + waiting.job().seconds(),
                        (now, _) -> now + waiting.job().seconds());
            }
        }
        return Optional.empty();
    }

    /** Returns a function from a spool to the position in the queue where it, rather than any filament, is needed next. */
    private ToIntFunction<PlannedSpool> nextUse(Map<NeedGroup, List<QueuedJob>> waiting) {
        return roll -> waiting.values().stream()
                .filter(line -> !line.isEmpty()
                        && line.getFirst().job().needs().stream()
                                .anyMatch(need -> !need.wishes().isEmpty()
                                        && roll.matchRank(matching, need.wishes())
                                                .isPresent()))
                .mapToInt(line -> line.getFirst().at())
                .min()
                .orElse(Integer.MAX_VALUE - 1);
    }

    private static double pendingGrams(List<QueuedJob> line, LoadPlan.Job job) {
        double each = job.needs().stream()
                .mapToDouble(need -> need.grams() == null ? 0 : need.grams())
                .sum();
        return each * (line.size() + 1);
    }
}
