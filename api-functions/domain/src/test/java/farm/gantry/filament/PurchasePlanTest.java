package farm.gantry.filament;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.material.Assignment;
import farm.gantry.schedule.SchedulingFixtures;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests to which filaments the plan for purchases assigns the jobs of the queue. */
class PurchasePlanTest {
    private static final List<Assignment> ANY_PLA = List.of(new Assignment(null, null, "PLA", null));

    private static PlannedSpool roll(String variant) {
        return new PlannedSpool(null, variant, "basic", "PLA", null);
    }

    private static double lacking(Map<PlannedSpool, Double> stock, List<LoadPlan.SpoolNeed> queue) {
        return new PurchasePlan(SchedulingFixtures.RULES, stock, List.of())
                .lines(queue, Map.of(), Map.of(), 0).stream()
                        .mapToDouble(PurchasePlan.Line::lackingGrams)
                        .sum();
    }

    @Test
    void jobsOfAnyColourAreSpreadOverColoursWithEnoughLeft() {
        Map<PlannedSpool, Double> stock = new HashMap<>();
        Stream.of("red", "green", "blue", "white", "black").forEach(colour -> stock.put(roll(colour), 30.0));
        LoadPlan.SpoolNeed need = new LoadPlan.SpoolNeed(ANY_PLA, 12.5);
        assertThat(lacking(stock, Collections.nCopies(10, need))).isZero();
        assertThat(lacking(stock, Collections.nCopies(12, need)))
                .as("two jobs do not fit on what is left, of which 5 g are of the colour to buy")
                .isCloseTo(20, within(1e-9));
    }

    @Test
    void jobsOfOneColourChooseBeforeJobsOfAnyColour() {
        Map<PlannedSpool, Double> stock = Map.of(roll("red"), 100.0, roll("blue"), 90.0);
        LoadPlan.SpoolNeed any = new LoadPlan.SpoolNeed(ANY_PLA, 30.0);
        LoadPlan.SpoolNeed red = new LoadPlan.SpoolNeed(List.of(new Assignment(null, "red", null, null)), 100.0);
        assertThat(lacking(
                        stock,
                        IntStream.range(0, 4).mapToObj(i -> i < 3 ? any : red).toList()))
                .isZero();
    }
}
