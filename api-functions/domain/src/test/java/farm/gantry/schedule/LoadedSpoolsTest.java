package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.job.PrintJob;
import farm.gantry.printer.PrinterModelCatalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the remaining weight of spools and the choice of the spools that a job uses. */
class LoadedSpoolsTest {
    private static final JobMatcher STRICT =
            new JobMatcher(Map.of(), PrinterModelCatalog.BUILT_IN, false, false, false, false, false, true, false);

    /** Returns a job that needs this many grams of PLA. */
    private static Requirement job(@Nullable Double grams) {
        Requirement pla = SchedulingFixtures.of(List.of(SchedulingFixtures.type("PLA")));
        return new Requirement(
                pla.tags(),
                pla.materials(),
                List.of(),
                false,
                false,
                null,
                null,
                null,
                new FilamentNeed(new TreeMap<>(), grams),
                List.of(),
                false);
    }

    /** Returns a printer whose slots, counted from 0, hold PLA with this many grams left; null is unknown. */
    private static Candidate printer(String id, long lastPrinted, boolean refills, @Nullable Double... left) {
        SlotFilament[] loaded = new SlotFilament[left.length];
        Map<PrintJob.Slot, LoadedSpools.Spool> spools = new HashMap<>();
        for (int i = 0; i < left.length; i++) {
            loaded[i] = SchedulingFixtures.filament(i, null, null, "PLA");
            spools.put(loaded[i].slot(), new LoadedSpools.Spool(id + i, left[i], 0));
        }
        Candidate bare = SchedulingFixtures.printer(id, lastPrinted, loaded);
        return new Candidate(bare.printer(), bare.condition(), false, bare.filaments(), new LoadedSpools(spools, refills));
    }

    private static @Nullable String placed(JobMatcher rules, Requirement job, Candidate... printers) {
        return new PlacementPlanner(rules, List.of(printers))
                .place(new PlacementPlanner.WaitingJob("j", 0, job))
                .map(placement -> placement.printer().printer().id()
                        + placement.materialMapping().values().iterator().next().slotIndex())
                .orElse(null);
    }

    @Test
    void sufficientSpoolWithTheLeastLeftIsUsedFirst() {
        assertThat(placed(SchedulingFixtures.RULES, job(100.0), printer("a", 0, false, 90.0, 900.0, null, 120.0)))
                .isEqualTo("a3");
        assertThat(placed(SchedulingFixtures.RULES, job(100.0), printer("a", 0, false, 90.0, null)))
                .isEqualTo("a1");
        assertThat(placed(SchedulingFixtures.RULES, job(100.0), printer("a", 0, false, 20.0, 90.0)))
                .isEqualTo("a1");
        assertThat(placed(SchedulingFixtures.RULES, job(null), printer("a", 0, false, 900.0, 20.0)))
                .as("an unmeasured job uses the first spool")
                .isEqualTo("a0");
    }

    @Test
    void printerWithASufficientSpoolIsPreferred() {
        assertThat(placed(
                        SchedulingFixtures.RULES,
                        job(100.0),
                        printer("a", 1, false, 50.0),
                        printer("b", 2, false, 500.0)))
                .isEqualTo("b0");
        assertThat(placed(
                        SchedulingFixtures.RULES,
                        job(100.0),
                        printer("a", 1, false, 50.0),
                        printer("b", 2, false, 60.0)))
                .as("a shortage is a warning")
                .isEqualTo("a0");
    }

    @Test
    void jobWaitsForASufficientSpoolWhenTheStoreSaysSo() {
        assertThat(placed(STRICT, job(100.0), printer("a", 1, false, 50.0))).isNull();
        assertThat(placed(STRICT, job(50.0), printer("a", 1, false, 50.0))).isEqualTo("a0");
        assertThat(placed(STRICT, job(100.0), printer("a", 1, false, (Double) null)))
                .as("unknown weight is no shortage")
                .isEqualTo("a0");
        assertThat(placed(STRICT, job(100.0), printer("a", 1, true, 50.0)))
                .as("it refills by itself")
                .isEqualTo("a0");
    }

    @Test
    void reservedFilamentIsNotAvailableAndTheShortageIsReported() {
        Candidate bare = printer("a", 1, false, 0.0);
        Candidate reserved = new Candidate(
                bare.printer(),
                bare.condition(),
                false,
                bare.filaments(),
                new LoadedSpools(Map.of(bare.filaments().getFirst().slot(), new LoadedSpools.Spool("s", 130.0, 60)), false));
        assertThat(placed(STRICT, job(100.0), reserved)).isNull();
        RuleExplainer words = new RuleExplainer(STRICT, Map.of());
        assertThat(words.lackingGrams(job(100.0), reserved)).isEqualTo(30);
        Optional<RuleResult> obstacle = words.findObstacle(job(100.0), reserved);
        assertThat(obstacle.map(RuleResult::code)).hasValue("material-insufficient");
        assertThat(obstacle.map(RuleResult::explanation)).hasValue("The spool in A1 lacks 30.0 g for the job.");
        assertThat(new RuleExplainer(SchedulingFixtures.RULES, Map.of()).findObstacle(job(100.0), reserved))
                .isEmpty();
    }

    @Test
    void totalWeightIsSplitByTheEstimatedShares() {
        FilamentNeed need = new FilamentNeed(new TreeMap<>(Map.of(0, 30.0, 1, 10.0, 2, 5.0)), 80.0);
        PrintJob.Slot first = new PrintJob.Slot(0, 0);
        PrintJob.Slot second = new PrintJob.Slot(0, 1);
        assertThat(need.shares(Map.of(0, first, 1, second)))
                .containsExactly(Map.entry(first, .75), Map.entry(second, .25));
        assertThat(need.bySlot(Map.of(0, first, 1, first))).containsExactly(Map.entry(first, 80.0));
        assertThat(new FilamentNeed(new TreeMap<>(), 80.0).bySlot(Map.of(0, first, 1, second)))
                .containsExactly(Map.entry(first, 40.0), Map.entry(second, 40.0));
    }
}
