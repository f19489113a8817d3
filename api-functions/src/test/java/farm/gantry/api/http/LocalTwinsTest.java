package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.LocalTwins;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Checks the list of beans that functions must not have: a single machine has each of them. */
final class LocalTwinsTest {
    @Test
    void singleMachineHasTheBeansThatFunctionsLack() {
        assertThat(LocalTwins.namedIn(SharedApi.context())).isEqualTo(LocalTwins.NAMED);
        assertThat(LocalTwins.in(SharedApi.context())).isEqualTo(LocalTwins.NAMED);
    }
}
