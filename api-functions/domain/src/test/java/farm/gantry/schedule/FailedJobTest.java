package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.PrinterModelCatalog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests on which printers failed jobs are placed, and that no job is placed when its part is on hold or the queue is
 * paused.
 */
class FailedJobTest {
    private static Requirement failedOn(String... printers) {
        return job(List.of(printers), false);
    }

    private static Requirement job(List<String> failedOn, boolean isPartHeld) {
        return new Requirement(
                SchedulingFixtures.NO_TAGS,
                new TreeMap<>(),
                List.of(),
                false,
                false,
                null,
                null,
                null,
                SchedulingFixtures.UNKNOWN_NEED,
                failedOn,
                isPartHeld);
    }

    private static String placed(JobMatcher rules, Requirement job, List<Candidate> all, List<Candidate> free) {
        return new PlacementPlanner(rules, free)
                .place(new PlacementPlanner.WaitingJob("j", 0, rules.avoidFailedPrinters(all, job)))
                .map(placement -> placement.printer().printer().id())
                .orElse("-");
    }

    private static String placed(Requirement job, String... printers) {
        List<Candidate> all = List.of(printers).stream()
                .map(id -> SchedulingFixtures.printer(id, id.charAt(0)))
                .toList();
        return placed(SchedulingFixtures.RULES, job, all, all);
    }

    @Test
    void failedJobIsPlacedOnAnotherPrinter() {
        assertThat(placed(failedOn("a"), "a", "b", "c")).isEqualTo("b");
        assertThat(placed(failedOn("a", "b"), "a", "b", "c")).isEqualTo("c");
    }

    @Test
    void onlyTheLastPrinterIsAvoidedWhenTheJobFailedOnAll() {
        assertThat(placed(failedOn("a", "b", "c"), "a", "b", "c")).isEqualTo("a");
        assertThat(placed(failedOn("c", "b", "a"), "a", "b", "c")).isEqualTo("b");
        assertThat(placed(failedOn("a"), "a")).isEqualTo("a");
    }

    @Test
    void failedJobWaitsForABusyPrinterButNotForOneOutOfService() {
        Candidate failed = SchedulingFixtures.printer("a", 1);
        Candidate busy = SchedulingFixtures.unready("b");
        assertThat(placed(SchedulingFixtures.RULES, failedOn("a"), List.of(failed, busy), List.of(failed)))
                .isEqualTo("-");
        Candidate broken = new Candidate(
                busy.printer(), new PrinterCondition(false, false, false, BedState.USED, null), false, List.of());
        assertThat(placed(SchedulingFixtures.RULES, failedOn("a"), List.of(failed, broken), List.of(failed)))
                .isEqualTo("a");
    }

    @Test
    void failedJobIsRetriedOnThePrinterItNames() {
        Requirement named = new Requirement(
                SchedulingFixtures.on("a").tags(),
                new TreeMap<>(),
                List.of(),
                false,
                false,
                null,
                null,
                null,
                SchedulingFixtures.UNKNOWN_NEED,
                List.of("a"),
                false);
        assertThat(placed(named, "a", "b")).isEqualTo("a");
    }

    @Test
    void jobIsNotPlacedWhenItsPartIsOnHoldOrTheQueueIsPaused() {
        assertThat(placed(job(List.of(), true), "a")).isEqualTo("-");
        JobMatcher paused = new JobMatcher(Map.of(), PrinterModelCatalog.BUILT_IN, false, false, false, false, false, false, true);
        List<Candidate> all = List.of(SchedulingFixtures.printer("a", 1));
        assertThat(placed(paused, SchedulingFixtures.anything(), all, all)).isEqualTo("-");
        assertThat(new RuleExplainer(paused, Map.of()).findObstacle(SchedulingFixtures.anything(), all.getFirst()))
                .map(RuleResult::code)
                .isEqualTo(Optional.of("queue-paused"));
        assertThat(new RuleExplainer(SchedulingFixtures.RULES, Map.of()).findObstacle(job(List.of(), true), all.getFirst()))
                .map(RuleResult::code)
                .isEqualTo(Optional.of("part-held"));
    }
}
