package farm.gantry.filament;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.schedule.JobMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which spools the plan loads into which slots, and how often. */
class LoadPlannerTest {
    private static final JobMatcher RULES = new JobMatcher(
            Map.of("g", Set.of("red", "blue")),
            PrinterModelCatalog.BUILT_IN,
            false,
            false,
            false,
            false,
            false,
            false,
            false);

    private static PlannedSpool roll(@Nullable String id, String variant, @Nullable Double grams) {
        return new PlannedSpool(id, variant, null, "PLA", grams);
    }

    private static LoadPlan.LoadedPrinter machine(String id, @Nullable PlannedSpool... loaded) {
        SortedMap<PrintJob.Slot, @Nullable PlannedSpool> places = new TreeMap<>();
        for (int i = 0; i < loaded.length; i++) {
            places.put(new PrintJob.Slot(0, i), loaded[i]);
        }
        return new LoadPlan.LoadedPrinter(id, 0, places);
    }

    private static LoadPlan.SpoolNeed need(String variant, @Nullable Double grams) {
        return new LoadPlan.SpoolNeed(List.of(new Assignment(null, variant, null, null)), grams);
    }

    private static LoadPlan.Job job(String id, Set<String> printers, LoadPlan.SpoolNeed... needs) {
        return new LoadPlan.Job(id, 3600, List.of(needs), printers);
    }

    private static LoadPlan plan(LoadPlan.Farm farm, LoadPlan.Job... queue) {
        return new LoadPlanner(RULES, farm).plan(List.of(queue));
    }

    private static List<String> described(LoadPlan plan) {
        return plan.loads().stream()
                .map(load -> load.inSeconds() + " " + load.printerId()
                        + load.slot().slotIndex() + " " + load.roll().instanceId() + " " + load.jobIds())
                .toList();
    }

    @Test
    void jobsForLoadedFilamentArePrintedBeforeOneChange() {
        LoadPlan.Farm farm =
                new LoadPlan.Farm(List.of(machine("a", roll("r", "red", null))), List.of(roll("b", "blue", null)));
        Set<String> a = Set.of("a");
        assertThat(described(plan(
                        farm,
                        job("1", a, need("blue", null)),
                        job("2", a, need("red", null)),
                        job("3", a, need("blue", null)),
                        job("4", a, need("red", null)))))
                .containsExactly("7200 a0 b [1, 3]");
    }

    @Test
    void emptySlotIsLoadedBeforeAFilamentThatIsStillNeeded() {
        LoadPlan.Farm farm = new LoadPlan.Farm(
                List.of(machine("a", roll("r", "red", null), null)),
                List.of(roll("b", "blue", null), roll("g", "green", null)));
        Set<String> a = Set.of("a");
        assertThat(described(plan(
                        farm,
                        job("1", a, need("blue", null), need("red", null)),
                        job("2", a, need("green", null), need("red", null)))))
                .containsExactly("0 a1 b [1]", "3600 a1 g [2]");
    }

    @Test
    void emptySpoolIsReplacedAndMissingSpoolIsNamed() {
        LoadPlan.Farm farm =
                new LoadPlan.Farm(List.of(machine("a", roll("r", "red", 50.0))), List.of(roll("s", "red", 500.0)));
        Set<String> a = Set.of("a");
        assertThat(described(plan(
                        farm,
                        job("1", a, need("red", 40.0)),
                        job("2", a, need("red", 40.0)),
                        job("3", a, need("green", 1.0)))))
                .containsExactly("3600 a0 s [2]", "7200 a0 null [3]");
        LoadPlan impossible =
                plan(farm, job("4", Set.of("b"), need("red", 1.0)), job("5", a, need("red", 1.0), need("blue", 1.0)));
        assertThat(impossible.unplacedJobIds()).containsExactly("4", "5");
    }

    @Test
    void needOfAnyFilamentGetsASpoolWithEnough() {
        Set<String> a = Set.of("a");
        LoadPlan.SpoolNeed any = new LoadPlan.SpoolNeed(List.of(), 30.0);
        LoadPlan.Farm known = new LoadPlan.Farm(
                List.of(machine("a", roll("r", "red", 25.0), null)),
                List.of(roll("b", "blue", 20.0), roll("g", "green", 35.0)));
        assertThat(described(plan(known, job("1", a, any), job("2", a, any))))
                .containsExactly("0 a1 g [1]", "3600 a0 null [2]");
        LoadPlan.Farm sufficient = new LoadPlan.Farm(List.of(machine("a", roll("r", "red", 65.0))), List.of());
        assertThat(described(plan(sufficient, job("1", a, any), job("2", a, any))))
                .isEmpty();
        LoadPlan.Farm unknown = new LoadPlan.Farm(List.of(machine("a", (PlannedSpool) null)), List.of());
        assertThat(described(plan(unknown, job("1", a, any)))).isEmpty();
    }

    /** Random queues have up to 60 jobs of one or two of up to 8 filaments, and up to 6 printers of up to 4 slots. */
    @Test
    void planChangesLessFilamentThanFirstComeFirstServed() {
        long planned = 0;
        long inTurn = 0;
        long lookingAheadIsWorse = 0;
        for (int seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            int colours = 2 + random.nextInt(7);
            List<LoadPlan.LoadedPrinter> machines = IntStream.rangeClosed(1, 1 + random.nextInt(6))
                    .mapToObj(number -> machine(
                            "p" + number,
                            IntStream.rangeClosed(0, random.nextInt(4))
                                    .mapToObj(place -> random.nextInt(3) == 0
                                            ? null
                                            : roll("p" + number + place, "v" + random.nextInt(colours), grams(random)))
                                    .toArray(PlannedSpool[]::new)))
                    .toList();
            List<PlannedSpool> shelf = IntStream.range(0, 12)
                    .mapToObj(number -> roll("s" + number, "v" + random.nextInt(colours), grams(random)))
                    .toList();
            List<LoadPlan.Job> queue = new ArrayList<>();
            for (int i = 5 + random.nextInt(56); i > 0; i--) {
                Set<String> printers = machines.stream()
                        .map(LoadPlan.LoadedPrinter::printerId)
                        .filter(_ -> random.nextInt(5) > 0)
                        .collect(Collectors.toUnmodifiableSet());
                List<LoadPlan.SpoolNeed> needs = random.ints(0, colours)
                        .distinct()
                        .limit(random.nextInt(4) == 0 ? 2 : 1)
                        .mapToObj(colour -> need("v" + colour, 5.0 + random.nextInt(100)))
                        .toList();
                queue.add(new LoadPlan.Job("j" + i, 600 + random.nextInt(20_000), needs, printers));
            }
            LoadPlanner planner = new LoadPlanner(RULES, new LoadPlan.Farm(machines, shelf));
            LoadPlan best = planner.plan(queue);
            LoadPlan first = planner.planFirstComeFirstServed(queue);
            assertThat(best.loads())
                    .as("seed %s", seed)
                    .hasSizeLessThanOrEqualTo(first.loads().size());
            assertThat(best.unplacedJobIds()).as("seed %s", seed).hasSameSizeAs(first.unplacedJobIds());
            planned += best.loads().size();
            inTurn += first.loads().size();
            lookingAheadIsWorse += planner.planLookingAhead(queue).loads().size()
                            > first.loads().size()
                    ? 1
                    : 0;
        }
        assertThat((double) planned / inTurn)
                .as(
                        "%s changes of %s, %s queues where looking ahead alone is worse",
                        planned, inTurn, lookingAheadIsWorse)
                .isLessThan(.45);
    }

    private static @Nullable Double grams(Random random) {
        return random.nextInt(3) == 0 ? null : Double.valueOf(100 + random.nextInt(900));
    }
}
