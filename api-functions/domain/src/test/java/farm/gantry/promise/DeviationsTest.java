package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what the farm learns from completed prints. */
class DeviationsTest {
    private static final EstimateErrors.Model TRIDENT = new EstimateErrors.Model("firmwareK", "Trident");
    private static final EstimateErrors.Model NO_MODEL = new EstimateErrors.Model("firmwareK", null);

    private static EstimateErrors extraTimes(Map<EstimateErrors.Model, EstimateErrors.ObservedTime> extra) {
        return new EstimateErrors(Map.of(), extra, Map.of(), Map.of(), 0);
    }

    private static EstimateErrors.ObservedTime extra(int count, double secondsPerPrint) {
        return new EstimateErrors.ObservedTime(count, count * secondsPerPrint);
    }

    @Test
    void extraSecondsOfAModelConvergeToTheMeanOfItsPrints() {
        assertThat(extraTimes(Map.of(TRIDENT, extra(2, 240))).extraSeconds(TRIDENT))
                .isBetween(90.0, 150.0);
        assertThat(extraTimes(Map.of(TRIDENT, extra(800, 240))).extraSeconds(TRIDENT))
                .isCloseTo(240, within(1.0));
        assertThat(extraTimes(Map.of()).extraSeconds(TRIDENT)).isZero();
    }

    @Test
    void extraSecondsOfPrintersWithoutAModelAreLearned() {
        assertThat(extraTimes(Map.of(NO_MODEL, extra(800, 240))).extraSeconds(NO_MODEL))
                .isCloseTo(240, within(1.0));
    }

    @Test
    void extraSecondsOfANewModelAreThoseOfItsProviderOrOfTheStore() {
        EstimateErrors errors = extraTimes(
                Map.of(TRIDENT, extra(800, 240), new EstimateErrors.Model("vendorA", "X1C"), extra(800, 60)));
        assertThat(errors.extraSeconds(new EstimateErrors.Model("firmwareK", "Micron")))
                .isCloseTo(240, within(2.0));
        assertThat(errors.extraSeconds(NO_MODEL)).isCloseTo(240, within(2.0));
        assertThat(errors.extraSeconds(new EstimateErrors.Model("vendorE", "Neptune")))
                .isCloseTo(150, within(2.0));
        assertThat(errors.extraSeconds(new EstimateErrors.Model(null, null))).isCloseTo(150, within(2.0));
    }

    @Test
    void timeOfAMacroIsLearnedForItsPrinterAndElseThatOfTheStoreCounts() {
        EstimateErrors errors =
                new EstimateErrors(Map.of(), Map.of(), Map.of(), Map.of("a", extra(100, 900), "b", extra(100, 300)), 0);
        assertThat(errors.macroSeconds("a")).isCloseTo(900, within(5.0));
        assertThat(errors.macroSeconds("b")).isCloseTo(300, within(5.0));
        assertThat(errors.macroSeconds("c")).isCloseTo(600, within(20.0));
        assertThat(extraTimes(Map.of()).macroSeconds("a")).isEqualTo(120);
    }

    @Test
    void learnedMeanIsLessCertainAfterFewPrints() {
        EstimateError few = EstimateError.UNKNOWN.updatedBy(new EstimateError.Statistics(8, 0, 8 * 0.0225));
        EstimateError many = EstimateError.UNKNOWN.updatedBy(new EstimateError.Statistics(392, 0, 392 * 0.0225));
        assertThat(few.meanError()).isCloseTo(0.15 / 4, within(1e-9));
        assertThat(many.meanError()).isCloseTo(0.15 / 20, within(1e-9));
        assertThat(few.shifted(2, 0).mean()).isCloseTo(2 * 0.15 / 4, within(1e-9));
    }

    private static EstimateError.Statistics prints(int count, double mean, double spread) {
        return new EstimateError.Statistics(count, count * mean, count * (mean * mean + spread * spread));
    }

    private static EstimateErrors.Source printer(String id) {
        return new EstimateErrors.Source("firmwareK", "Trident", id, null);
    }

    @Test
    void slowPrinterIsLearnedAndFewPrintsAreShrunkToItsModel() {
        Map<EstimateErrors.Source, EstimateError.Statistics> prints = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            prints.put(printer("usual" + i), prints(100, i % 2 == 0 ? 0.05 : -0.05, 0.1));
        }
        prints.put(printer("slow"), prints(100, 0.4, 0.1));
        prints.put(printer("new"), prints(1, 0.4, 0));
        EstimateErrors deviations = new EstimateErrors(prints, 0);
        EstimateError slow = deviations.of(printer("slow"));
        EstimateError seen = deviations.of(printer("new"));
        EstimateError unseen = deviations.of(printer("unseen"));
        assertThat(slow.mean()).isCloseTo(0.4, within(0.02));
        assertThat(slow.spread()).isCloseTo(0.1, within(0.02));
        assertThat(slow.printerError()).isLessThan(0.02);
        assertThat(seen.mean()).isBetween(unseen.mean() + 0.05, 0.38);
        assertThat(unseen.mean()).isCloseTo(0.04, within(0.03));
        assertThat(unseen.printerError()).isGreaterThan(0.05);
    }

    @Test
    void printersThatDifferByChanceAloneAreTakenForEqual() {
        Map<EstimateErrors.Source, EstimateError.Statistics> prints = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            prints.put(printer("p" + i), prints(25, i % 2 == 0 ? 0.05 : -0.05, 0.25));
        }
        EstimateErrors deviations = new EstimateErrors(prints, 0);
        assertThat(deviations.of(printer("p0")).mean()).isCloseTo(0, within(0.02));
    }

    @Test
    void newModelIsEstimatedAsItsProvider() {
        EstimateErrors deviations = new EstimateErrors(
                Map.of(
                        printer("a"),
                        prints(200, 0.3, 0.1),
                        new EstimateErrors.Source("vendorA", "Mini", "b", null),
                        prints(200, -0.1, 0.1)),
                0);
        assertThat(deviations
                        .of(new EstimateErrors.Source("firmwareK", "Other", "c", "fine"))
                        .mean())
                .isCloseTo(0.3, within(0.03));
        assertThat(deviations
                        .of(new EstimateErrors.Source("vendorB", "Other", "d", null))
                        .mean())
                .isCloseTo(0.1, within(0.03));
    }
}
