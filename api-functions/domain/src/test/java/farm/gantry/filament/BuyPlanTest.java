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
class BuyPlanTest {
    private static final List<Assignment> ANY_PLA = List.of(new Assignment(null, null, "PLA", null));

    private static Roll roll(String variant) {
        return new Roll(null, variant, "basic", "PLA", null);
    }

    private static double lacking(Map<Roll, Double> stock, List<LoadPlan.Need> queue) {
        return new BuyPlan(SchedulingFixtures.RULES, stock, List.of())
                .lines(queue, Map.of(), Map.of(), 0).stream()
                        .mapToDouble(BuyPlan.Line::lackingGrams)
                        .sum();
    }

    @Test
    void jobsOfAnyColourAreSpreadOverColoursWithEnoughLeft() {
        Map<Roll, Double> stock = new HashMap<>();
        Stream.of("red", "green", "blue", "white", "black").forEach(colour -> stock.put(roll(colour), 30.0));
        LoadPlan.Need need = new LoadPlan.Need(ANY_PLA, 12.5);
        assertThat(lacking(stock, Collections.nCopies(10, need))).isZero();
        assertThat(lacking(stock, Collections.nCopies(12, need)))
                .as("two jobs do not fit on what is left, of which 5 g are of the colour to buy")
                .isCloseTo(20, within(1e-9));
    }

    @Test
    void jobsOfOneColourChooseBeforeJobsOfAnyColour() {
        Map<Roll, Double> stock = Map.of(roll("red"), 100.0, roll("blue"), 90.0);
        LoadPlan.Need any = new LoadPlan.Need(ANY_PLA, 30.0);
        LoadPlan.Need red = new LoadPlan.Need(List.of(new Assignment(null, "red", null, null)), 100.0);
        assertThat(lacking(
                        stock,
                        IntStream.range(0, 4).mapToObj(i -> i < 3 ? any : red).toList()))
                .isZero();
    }
}
