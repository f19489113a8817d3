package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Learning from prints that ended. */
class DeviationsTest {
    @Test
    void extraSecondsOfAModelConvergeToTheMeanOfItsPrints() {
        Deviations few = new Deviations(Map.of(), Map.of("Trident", new Deviations.ExtraTime(8, 8 * 240)), 0);
        Deviations many = new Deviations(Map.of(), Map.of("Trident", new Deviations.ExtraTime(800, 800 * 240)), 0);
        assertThat(few.extraSeconds("Trident")).isEqualTo(120);
        assertThat(many.extraSeconds("Trident")).isCloseTo(240, within(3.0));
        assertThat(many.extraSeconds("Mini")).isZero();
        assertThat(many.extraSeconds(null)).isZero();
    }

    @Test
    void learnedMeanIsLessCertainAfterFewPrints() {
        Deviation few = Deviation.UNKNOWN.after(new Deviation.Observed(8, 0, 8 * 0.0225));
        Deviation many = Deviation.UNKNOWN.after(new Deviation.Observed(392, 0, 392 * 0.0225));
        assertThat(few.meanError()).isCloseTo(0.15 / 4, within(1e-9));
        assertThat(many.meanError()).isCloseTo(0.15 / 20, within(1e-9));
        assertThat(few.off(2).mean()).isCloseTo(2 * 0.15 / 4, within(1e-9));
    }
}
