package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.LocalTwins;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** The list that functions are held to, held to one machine: each name is one of its beans. */
final class LocalTwinsTest {
    @Test
    void singleMachineHasTheBeansThatFunctionsLack() {
        assertThat(LocalTwins.namedIn(SharedApi.context())).isEqualTo(LocalTwins.NAMED);
        assertThat(LocalTwins.in(SharedApi.context())).isEqualTo(LocalTwins.NAMED);
    }
}
