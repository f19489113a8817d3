package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentInstanceTest {
    @TempDir
    Path data;

    private AgentInstance started(String machine) throws Exception {
        return AgentInstance.register(data, machine);
    }

    @Test
    void processReportsItsPredecessorsUpToTheLastServedOne() throws Exception {
        AgentInstance first = started("boot-1 pi");
        assertThat(first.speaking().former()).isEmpty();
        first.recordServed();
        AgentInstance second = started("boot-1 pi");
        assertThat(second.speaking().former()).containsExactly(first.speaking().id());
        AgentInstance third = started("boot-1 pi");
        assertThat(third.speaking().former())
                .containsExactly(first.speaking().id(), second.speaking().id());
        third.recordServed();
        assertThat(started("boot-1 pi").speaking().former())
                .containsExactly(third.speaking().id());
    }

    @Test
    void predecessorsAreNotReportedAfterABootOrOnAnUnknownMachine() throws Exception {
        started("boot-1 pi").recordServed();
        assertThat(started("boot-2 pi").speaking().former()).isEmpty();
        started("").recordServed();
        assertThat(started("").speaking().former()).isEmpty();
    }

    @Test
    void lastServedInstanceIsKeptAmongManyUnservedOnes() throws Exception {
        AgentInstance served = started("boot-1 pi");
        served.recordServed();
        IntStream.range(0, 100).forEach(_ -> {
            try {
                started("boot-1 pi");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(started("boot-1 pi").speaking().former())
                .hasSize(20)
                .startsWith(served.speaking().id());
    }
}
