package farm.gantry.part;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.part.Processing.Stage;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProcessingTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Processing begun = Processing.start("run", "hash", 1, NOW, false);

    @Test
    void runStartsWithAllStagesPending() {
        assertThat(begun.stages()).extracting(Stage::key).containsExactly(StageKey.values());
        assertThat(begun.stages()).extracting(Stage::status).containsOnly(StageStatus.pending);
        assertThat(begun.finishedAt()).isNull();
    }

    @Test
    void runEndsWhenAllStagesAreSettled() {
        Processing after = begun;
        for (StageKey key : StageKey.values()) {
            assertThat(after.finishedAt()).isNull();
            StageStatus status = key == StageKey.SPLIT_PLATES ? StageStatus.skipped : StageStatus.done;
            after = after.afterStage(new Stage(key, status, 1, null), null, NOW);
        }
        assertThat(after.finishedAt()).isEqualTo(NOW);
        assertThat(after.failedStage()).isNull();
    }

    @Test
    void runFailsWithTheErrorOfAFailedStage() {
        Processing after =
                begun.afterStage(new Stage(StageKey.READ_METADATA, StageStatus.failed, 1, "not a ZIP archive"), null, NOW);
        assertThat(after.failedStage()).isEqualTo(StageKey.READ_METADATA);
        assertThat(after.error()).isEqualTo("not a ZIP archive");
        assertThat(after.finishedAt()).isEqualTo(NOW);
    }

    @Test
    void abandonedRunFailsAtItsCurrentStage() {
        Processing after = begun.afterStage(
                        new Stage(StageKey.fetch, StageStatus.running, 4, "tried again later"), null, NOW)
                .afterStage(new Stage(StageKey.READ_METADATA, StageStatus.failed, 5, "given up"), null, NOW);
        assertThat(after.failedStage()).isEqualTo(StageKey.fetch);
        assertThat(after.stages().getFirst().error()).isEqualTo("given up");
        assertThat(after.stages()).extracting(Stage::status).doesNotContain(StageStatus.running);
    }

    @Test
    void skippedStageKeepsItsErrorAndTheRunContinues() {
        Processing after =
                begun.afterStage(new Stage(StageKey.thumbnails, StageStatus.skipped, 1, "no picture inside"), null, NOW);
        assertThat(after.failedStage()).isNull();
        assertThat(after.finishedAt()).isNull();
        assertThat(after.stages().get(2).error()).isEqualTo("no picture inside");
    }
}
