package farm.gantry.ingest.stage;

import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.StageReport.Findings;
import org.jspecify.annotations.Nullable;

/** The result of a stage that did not fail. */
record StageResult<T>(
        StageStatus status,
        @Nullable String error,
        @Nullable Findings findings,
        T result) {

    static <T> StageResult<T> done(T result, @Nullable Findings findings) {
        return new StageResult<>(StageStatus.done, null, findings, result);
    }

    /** The stage does not apply to such a part. */
    static <T> StageResult<T> skipped(T result) {
        return new StageResult<>(StageStatus.skipped, null, null, result);
    }

    /** The stage found a fault that leaves the part printable, and something all the same. */
    static <T> StageResult<T> skipped(T result, String error, @Nullable Findings findings) {
        return new StageResult<>(StageStatus.skipped, error, findings, result);
    }

    /** The stage found a fault that leaves the part printable. */
    static <T> StageResult<T> skipped(T result, @Nullable String error) {
        return new StageResult<>(StageStatus.skipped, error, null, result);
    }
}
