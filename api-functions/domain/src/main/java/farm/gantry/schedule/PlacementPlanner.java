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
 * Gives waiting jobs to free printers. They come in the queue's order; a job that fits no free printer is passed over,
 * so that the head never blocks, and one that may wait gets a printer only when no other can be placed. Among fitting
 * printers the least recently used wins, those whose spools have enough for the job before the others.
 *
 * <p>Printers of one kind and jobs that ask the same are looked at once: the work grows with the jobs, not with jobs
 * times printers.
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

    /** A job that waits, how often it was given to a printer before, and what it asks for. */
    public record WaitingJob(String jobId, int attempt, Requirement requirement) {}

    /** {@code materialMapping} is filament index → the place at the printer it comes from. */
    public record Placement(WaitingJob job, Candidate printer, SortedMap<Integer, PrintJob.Slot> materialMapping) {

        /** Place → its share of the filament that the job takes. */
        public SortedMap<PrintJob.Slot, Double> shares() {
            return job.requirement().need().shares(materialMapping);
        }
    }

    /** Returns whether there is no printer left to give. */
    public boolean isFull() {
        return taken.size() == byId.size();
    }

    /** Gives the job the printer it gets, if there is one; jobs come in the order in which they are to be served. */
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
            return chosen.isPresent() || matching.requiresEnoughFilament(job) ? chosen : findLongestIdle(fittingPrinters(job));
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

    /** The only printers that a rule can accept, of which there are few; null without a rule. */
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

    /** The printers that fit whose spools suffice; each printer is looked at once, for spools are as they were. */
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
