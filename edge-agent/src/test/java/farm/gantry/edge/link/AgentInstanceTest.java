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
        assertThat(first.asServing().former()).isEmpty();
        first.recordServed();
        AgentInstance second = started("boot-1 pi");
        assertThat(second.asServing().former())
                .containsExactly(first.asServing().id());
        AgentInstance third = started("boot-1 pi");
        assertThat(third.asServing().former())
                .containsExactly(first.asServing().id(), second.asServing().id());
        third.recordServed();
        assertThat(started("boot-1 pi").asServing().former())
                .containsExactly(third.asServing().id());
    }

    @Test
    void predecessorsAreNotReportedAfterABootOrOnAnUnknownMachine() throws Exception {
        started("boot-1 pi").recordServed();
        assertThat(started("boot-2 pi").asServing().former()).isEmpty();
        started("").recordServed();
        assertThat(started("").asServing().former()).isEmpty();
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
        assertThat(started("boot-1 pi").asServing().former())
                .hasSize(20)
                .startsWith(served.asServing().id());
    }
}
