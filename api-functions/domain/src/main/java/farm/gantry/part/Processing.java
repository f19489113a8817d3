package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.RecordBuilder;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of one ingest run of a part file. {@code workflowKey} identifies the run; reports of other runs are dropped. {@code attempt}
 * increases with each run of the part. {@code warnings} are possible problems of the file. With {@code acceptIncomplete}, a file that ends
 * early is accepted.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Processing(
        String workflowKey,
        String fileHash,
        int attempt,
        Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String error,
        @Nullable StageKey failedStage,
        List<Stage> stages,
        @Nullable List<String> warnings,
        @Nullable Boolean acceptIncomplete) {

    public static Processing start(
            String workflowKey, String fileHash, int attempt, Instant now, boolean acceptIncomplete) {
        List<Stage> stages = Arrays.stream(StageKey.values())
                .map(key -> new Stage(key, StageStatus.pending, null, null))
                .toList();
        return new Processing(
                workflowKey, fileHash, attempt, now, null, null, null, stages, null, acceptIncomplete ? true : null);
    }

    /**
     * Returns the state after a stage has changed. A failed stage ends the run, and so does completing the last one. A failure that names
     * no running stage, because the worker could not read the request, fails the current stage.
     */
    public Processing afterStage(Stage changed, @Nullable List<String> found, Instant now) {
        Stage moved = changed.status() == StageStatus.failed ? failRunningStage(changed) : changed;
        List<Stage> after = stages.stream()
                .map(stage -> stage.key() == moved.key() ? moved : stage)
                .toList();
        boolean failed = moved.status() == StageStatus.failed;
        boolean settled =
                failed || after.stream().allMatch(stage -> stage.status().isSettled());
        return RecordBuilder.copyOf(this)
                .with(Processing::finishedAt, settled ? now : null)
                .with(Processing::error, failed ? moved.error() : null)
                .with(Processing::failedStage, failed ? moved.key() : null)
                .with(Processing::stages, after)
                .with(Processing::warnings, found == null ? warnings : mergeWarnings(found))
                .build();
    }

    /** Returns the state with these warnings too. */
    public Processing withWarnings(List<String> added) {
        return RecordBuilder.copyOf(this)
                .with(Processing::warnings, mergeWarnings(added))
                .build();
    }

    private Stage failRunningStage(Stage failed) {
        return stages.stream()
                .filter(stage -> stage.status() == StageStatus.running)
                .findFirst()
                .map(stage -> new Stage(stage.key(), failed.status(), failed.attempts(), failed.error()))
                .orElse(failed);
    }

    /** Merges the warnings; a repeated stage reports the same ones again. */
    private List<String> mergeWarnings(List<String> found) {
        return Stream.concat(warnings == null ? Stream.empty() : warnings.stream(), found.stream())
                .distinct()
                .toList();
    }

    /** The stages, in the order in which they run. */
    @Serdeable
    public enum StageKey {
        fetch,
        @JsonProperty("read-metadata")
        READ_METADATA,
        thumbnails,
        @JsonProperty("split-plates")
        SPLIT_PLATES,
        estimate
    }

    /**
     * The status of a stage; {@code skipped} means that it does not apply, or that it failed but the part can still be printed (then it has
     * an error).
     */
    @Serdeable
    public enum StageStatus {
        running,
        done,
        pending,
        failed,
        skipped;

        boolean isSettled() {
            return switch (this) {
                case done, failed, skipped -> true;
                case running, pending -> false;
            };
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Stage(
            StageKey key,
            StageStatus status,
            @Nullable Integer attempts,
            @Nullable String error) {}
}
