package farm.gantry.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SerialNumberAllocatorTest {
    private static Sequence sequence(String id, String prefix, long next, int step, int padding) {
        return new Sequence(id, "store", Instant.EPOCH, Instant.EPOCH, "serials", prefix, next, step, padding);
    }

    @Test
    void eachDrawIncrementsTheNumber() {
        SerialNumberAllocator draws = new SerialNumberAllocator(List.of(sequence("a", "L-", 95, 5, 3), sequence("b", "", 7, 1, 0)));
        assertThat(draws.draw("a").text()).isEqualTo("L-095");
        assertThat(draws.draw("a")).isEqualTo(new SerialNumberAllocator.SerialNumber(100, "L-100"));
        assertThat(draws.nextNumbers()).isEqualTo(Map.of("a", 105L));
    }

    @Test
    void numberLongerThanItsPaddingIsNotCut() {
        assertThat(sequence("a", "", 0, 1, 2).format(12345)).isEqualTo("12345");
        assertThat(sequence("a", "", 0, 1, 2).format(0)).isEqualTo("00");
    }
}
