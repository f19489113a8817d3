package farm.gantry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdTest {
    @Test
    void anIdHasTheWiresForm() {
        assertThat(Id.next()).matches(Id.PATTERN);
        assertThat(Id.isValid(Id.next())).isTrue();
        assertThat(Id.isValid("ABC")).isFalse();
        assertThat(Id.isValid(Id.next() + "0")).isFalse();
    }

    @Test
    void laterIdsSortLater() {
        assertThat(Id.at(1_000)).isLessThan(Id.at(1_001));
        assertThat(Id.at(1_700_000_000_000L)).isLessThan(Id.at(4_000_000_000_000L));
    }

    @Test
    void idsOfOneMillisecondDiffer() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            ids.add(Id.at(5));
        }
        assertThat(ids).hasSize(10_000);
    }
}
