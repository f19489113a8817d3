package farm.gantry.promise;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.SlotFilament;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs each printer may take, by the scheduler's own rules. Jobs with equal requirements are checked once per kind of
 * printer, and printers that may take the same jobs share a queue.
 */
final class JobQueues {
    private final JobMatcher matching;
    private final List<Requirement> classes = new ArrayList<>();
    private final int[] classOfJob;
    private final Map<BitSet, Integer> numbers = new HashMap<>();
    private final Map<Integer, int[]> jobsOfClass = new HashMap<>();
    private final List<Queue> queues = new ArrayList<>();
    private final Map<Candidate.Kind, BitSet> suitableClasses = new HashMap<>();
    private final Map<LoadKey, PrinterQueue> loads = new HashMap<>();
    private final Map<LoadKey, Boolean> loadable = new HashMap<>();
    private final Map<LoadKey, SortedMap<PrintJob.Slot, Double>> needs = new HashMap<>();

    /** The jobs of some classes, as indices in the farm's queue. */
    static final class Queue {
        private final BitSet classes;
        private final int[] jobs;

        Queue(BitSet classes, int[] jobs) {
            this.classes = classes;
            this.jobs = jobs;
        }

        BitSet classes() {
            return classes;
        }

        int[] jobs() {
            return jobs;
        }
    }

    /** A printer as it is loaded, and the queue that it takes jobs from. */
    record PrinterQueue(Candidate candidate, int queue) {}

    private record LoadKey(Candidate.Kind kind, String printerId, int requirementClass) {}

    JobQueues(JobMatcher matching, List<FarmState.QueuedJob> jobs) {
        this.matching = matching;
        this.classOfJob = new int[jobs.size()];
        Map<Requirement, Integer> known = new HashMap<>();
        for (int i = 0; i < classOfJob.length; i++) {
            classOfJob[i] = known.computeIfAbsent(jobs.get(i).requirement(), asked -> {
                classes.add(asked);
                return classes.size() - 1;
            });
        }
    }

    int classOf(int job) {
        return classOfJob[job];
    }

    int classCount() {
        return classes.size();
    }

    /** The jobs of a class, as indices in the farm's queue. */
    int[] jobsOf(int requirementClass) {
        return jobsOfClass.computeIfAbsent(requirementClass, each -> {
            BitSet only = new BitSet();
            only.set(each);
            return jobs(only);
        });
    }

    Queue queue(int number) {
        return queues.get(number);
    }

    PrinterQueue load(Candidate printer) {
        BitSet taken = (BitSet)
                suitableClasses.computeIfAbsent(printer.kind(), _ -> suitableClasses(printer)).clone();
        for (int each = taken.nextSetBit(0); each >= 0; each = taken.nextSetBit(each + 1)) {
            Requirement requirement = classes.get(each);
            if (!matching.allowsPrinter(requirement, printer)) {
                taken.clear(each);
            }
        }
        return new PrinterQueue(printer, numbers.computeIfAbsent(taken, this::add));
    }

    /** The classes that the kind of the printer suits, names of printers aside. */
    private BitSet suitableClasses(Candidate printer) {
        BitSet suits = new BitSet(classes.size());
        for (int each = 0; each < classes.size(); each++) {
            suits.set(each, matching.canPrint(classes.get(each), printer));
        }
        return suits;
    }

    private int add(BitSet taken) {
        queues.add(new Queue(taken, jobs(taken)));
        return queues.size() - 1;
    }

    private int[] jobs(BitSet taken) {
        int count = 0;
        int[] jobs = new int[classOfJob.length];
        for (int job = 0; job < classOfJob.length; job++) {
            if (taken.get(classOfJob[job])) {
                jobs[count++] = job;
            }
        }
        return Arrays.copyOf(jobs, count);
    }

    /** Returns whether the printer could print jobs of the class with other filament. */
    boolean isLoadable(Candidate printer, int requirementClass) {
        return loadable.computeIfAbsent(key(printer, requirementClass), _ -> {
            Candidate loaded = withRequestedFilament(printer, classes.get(requirementClass));
            return matching.canPrint(classes.get(requirementClass), loaded)
                    && matching.allowsPrinter(classes.get(requirementClass), loaded);
        });
    }

    /** The printer with the filament that jobs of the class ask for. */
    PrinterQueue loadedFor(Candidate printer, int requirementClass) {
        LoadKey key = key(printer, requirementClass);
        PrinterQueue known = loads.get(key);
        if (known == null) {
            known = load(withRequestedFilament(printer, classes.get(requirementClass)));
            loads.put(key, known);
        }
        return known;
    }

    /** The grams that a job of the class takes from each place of the printer. */
    SortedMap<PrintJob.Slot, Double> neededGrams(Candidate printer, int requirementClass) {
        Requirement job = classes.get(requirementClass);
        return needs.computeIfAbsent(
                key(printer, requirementClass), _ -> job.need().bySlot(matching.assignSlots(job, printer)));
    }

    private static LoadKey key(Candidate printer, int requirementClass) {
        return new LoadKey(printer.kind(), printer.printer().id(), requirementClass);
    }

    /** Returns the printer with the requested filaments in its first slots and the others unchanged. */
    private static Candidate withRequestedFilament(Candidate printer, Requirement requirement) {
        SortedMap<Integer, SlotFilament> filaments = new TreeMap<>();
        List<PrintJob.Slot> slots =
                printer.filaments().stream().map(SlotFilament::slot).toList();
        requirement.materials().values().stream()
                .filter(wishes -> !wishes.isEmpty())
                .forEach(wishes -> {
                    int next = filaments.size();
                    PrintJob.Slot slot = next < slots.size() ? slots.get(next) : new PrintJob.Slot(0, next);
                    filaments.put(next, of(slot, wishes.getFirst(), requirement.tags()));
                });
        if (filaments.isEmpty()) {
            PrintJob.Slot slot = slots.isEmpty() ? new PrintJob.Slot(0, 0) : slots.getFirst();
            filaments.put(0, new SlotFilament(slot, null, null, requestedType(null, requirement.tags()), true));
        }
        List<SlotFilament> loaded = new ArrayList<>(filaments.values());
        printer.filaments().stream().skip(filaments.size()).forEach(loaded::add);
        return new Candidate(printer.printer(), printer.condition(), printer.isThrottled(), loaded);
    }

    private static SlotFilament of(PrintJob.Slot slot, Assignment wish, PrintTags tags) {
        return new SlotFilament(slot, wish.variantId(), wish.materialId(), requestedType(wish.materialType(), tags), true);
    }

    private static @Nullable String requestedType(@Nullable String requested, PrintTags tags) {
        String rule = tags.filamentType();
        return requested != null || rule == null
                ? requested
                : rule.replaceFirst("^[|&]?=?", "").split("[|,]", 2)[0];
    }
}
