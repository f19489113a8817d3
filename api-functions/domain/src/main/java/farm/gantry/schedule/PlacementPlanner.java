package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import farm.gantry.job.TagRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Assigns waiting jobs to free printers, in queue order. A job that fits no free printer is skipped, so that it does not block those behind
 * it. A low-priority job gets a printer only if no other job can be placed. Among fitting printers, those whose spools have enough filament
 * are preferred, then the least recently used. <p>Equal jobs and printers of one kind are checked once, so that the effort grows with the
 * number of jobs, not with jobs times printers.
 */
public final class PlacementPlanner {
    private final JobMatcher matching;
    private final Map<Candidate.Kind, Deque<Candidate>> kinds = new LinkedHashMap<>();
    private final Map<String, Candidate> byId = new HashMap<>();
    private final Map<Requirement, List<Deque<Candidate>>> fittingPrinters = new HashMap<>();
    private final Map<Requirement, List<Deque<Candidate>>> printersWithEnoughFilament = new HashMap<>();
    private final boolean hasKnownSpools;
    private final Set<String> taken = new HashSet<>();

    public PlacementPlanner(JobMatcher matching, List<Candidate> printers) {
        this.matching = matching;
        this.hasKnownSpools =
                printers.stream().anyMatch(printer -> printer.spools().isKnown());
        printers.stream().filter(matching::isFree).sorted(Candidate.BY_LAST_USE).forEach(printer -> {
            kinds.computeIfAbsent(printer.kind(), _ -> new ArrayDeque<>()).add(printer);
            byId.put(printer.printer().id(), printer);
        });
    }

    /** A waiting job: its attempt and its requirement. */
    public record WaitingJob(String jobId, int attempt, Requirement requirement) {}

    /** The assignment of a printer to a job; {@code materialMapping} is the slot by filament index. */
    public record Placement(WaitingJob job, Candidate printer, SortedMap<Integer, PrintJob.Slot> materialMapping) {

        /** Returns the share of the job's filament by slot. */
        public SortedMap<PrintJob.Slot, Double> shares() {
            return job.requirement().need().shares(materialMapping);
        }
    }

    /** Returns whether all printers are taken. */
    public boolean isFull() {
        return taken.size() == byId.size();
    }

    /** Assigns the best free printer to the job; empty if none fits. Must be called in queue order. */
    public Optional<Placement> place(WaitingJob job) {
        if (isFull()) {
            return Optional.empty();
        }
        Optional<Candidate> chosen = choose(job.requirement());
        chosen.ifPresent(printer -> taken.add(printer.printer().id()));
        return chosen.map(printer -> new Placement(job, printer, matching.assignSlots(job.requirement(), printer)));
    }

    private Optional<Candidate> choose(Requirement job) {
        Set<String> named = namedValues(job.tags().printerId());
        if (named == null) {
            Optional<Candidate> chosen = hasKnownSpools && job.need().isKnown()
                    ? findLongestIdle(printersWithEnoughFilament.computeIfAbsent(job, this::printersWithEnoughFilament))
                    : findLongestIdle(fittingPrinters(job));
            return chosen.isPresent() || matching.requiresEnoughFilament(job)
                    ? chosen
                    : findLongestIdle(fittingPrinters(job));
        }
        return named.stream()
                .map(byId::get)
                .flatMap(printer -> Optional.ofNullable(printer).stream())
                .filter(printer -> isStillFree(printer) && matching.allowsPrinter(job, printer))
                .filter(printer -> matching.canPrint(job, printer))
                .filter(printer -> !matching.requiresEnoughFilament(job) || hasEnoughFilament(job, printer))
                .min(Comparator.comparing((Candidate printer) -> !hasEnoughFilament(job, printer))
                        .thenComparing(Candidate.BY_LAST_USE));
    }

    private boolean hasEnoughFilament(Requirement job, Candidate printer) {
        return matching.passes(Rule.MATERIAL_SUFFICIENT, job, printer);
    }

    /** Returns the printers that a tag names; null if it does not name any. */
    private static @Nullable Set<String> namedValues(@Nullable String rule) {
        return rule == null
                ? null
                : switch (TagRule.parse(rule)) {
                    case TagRule.All all -> Set.copyOf(all.values());
                    case TagRule.Any any -> Set.copyOf(any.values());
                };
    }

    private boolean isStillFree(Candidate printer) {
        return !taken.contains(printer.printer().id());
    }

    private Optional<Candidate> findLongestIdle(List<Deque<Candidate>> lines) {
        lines.removeIf(line -> firstFree(line) == null);
        return lines.stream().map(Deque::getFirst).min(Candidate.BY_LAST_USE);
    }

    private @Nullable Candidate firstFree(Deque<Candidate> line) {
        while (!line.isEmpty() && !isStillFree(line.getFirst())) {
            line.removeFirst();
        }
        return line.peekFirst();
    }

    /** Returns the fitting printers with enough filament. Each printer is checked once, because no filament is used meanwhile. */
    private List<Deque<Candidate>> printersWithEnoughFilament(Requirement job) {
        return filtered(fittingPrinters(job), printer -> hasEnoughFilament(job, printer));
    }

    private List<Deque<Candidate>> fittingPrinters(Requirement job) {
        return fittingPrinters.computeIfAbsent(
                job,
                _ -> job.failedOn().isEmpty()
                        ? fittingKinds(job)
                        : filtered(fittingKinds(job), printer -> matching.allowsPrinter(job, printer)));
    }

    /** Returns these queues without printers that do not pass. */
    private List<Deque<Candidate>> filtered(List<Deque<Candidate>> lines, Predicate<Candidate> passes) {
        return lines.stream()
                .<Deque<Candidate>>map(line -> line.stream()
                        .filter(printer -> isStillFree(printer) && passes.test(printer))
                        .collect(Collectors.toCollection(ArrayDeque::new)))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private List<Deque<Candidate>> fittingKinds(Requirement job) {
        List<Deque<Candidate>> lines = new ArrayList<>();
        kinds.values().forEach(line -> {
            Candidate one = firstFree(line);
            if (one != null && matching.canPrint(job, one)) {
                lines.add(line);
            }
        });
        return lines;
    }
}
