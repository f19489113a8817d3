package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A short run of {@code infra/local/chaos}. */
@Isolated("two farms at once are more than a small machine can carry")
@Tag("full")
@Tag("long")
class ChaosRunTest {
    @Test
    void noAcknowledgedWorkIsLostOrDoubledWhenProcessesAreKilled() throws Exception {
        ChaosRun chaos = new ChaosRun();
        chaos.minutes = 0.5;
        chaos.every = 8;
        chaos.seed = 1;
        assertThat(chaos.run()).isEmpty();
    }
}
