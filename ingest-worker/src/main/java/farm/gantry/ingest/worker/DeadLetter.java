package farm.gantry.ingest.worker;

import farm.gantry.part.Processing.Stage;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.StageReport;
import org.jspecify.annotations.Nullable;

/**
 * Fails a request unread: it was received too often without an outcome, because each worker was stopped or could not
 * reach the files, or no queue accepts it.
 */
public final class DeadLetter {
    private static final int MAX_RECEIVES = 5;

    private DeadLetter() {}

    public static boolean isDue(int receives) {
        return receives > MAX_RECEIVES;
    }

    public static StageReport report(IngestRequest request) {
        return failed(request, MAX_RECEIVES, message("read"));
    }

    public static SliceResult answer(SliceRequest request) {
        return new SliceResult(request.storeId(), request.sliceId(), null, message("sliced"));
    }

    /** Returns the report for a request that never reached the worker. */
    public static StageReport refused(IngestRequest request, String reason) {
        return failed(request, null, "The request to read this file did not reach the worker: " + reason);
    }

    public static SliceResult refused(SliceRequest request, String reason) {
        return new SliceResult(
                request.storeId(),
                request.sliceId(),
                null,
                "The request to slice this file did not reach the worker: " + reason);
    }

    private static StageReport failed(IngestRequest request, @Nullable Integer attempts, String error) {
        var stage = new Stage(StageKey.READ_METADATA, StageStatus.failed, attempts, error);
        return new StageReport(request.storeId(), request.partId(), request.workflowKey(), stage, null);
    }

    private static String message(String verb) {
        return "The worker was stopped, or its files were out of reach, each time it " + verb + " this file";
    }
}
