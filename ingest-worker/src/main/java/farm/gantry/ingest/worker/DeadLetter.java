package farm.gantry.ingest.worker;

import farm.gantry.part.Processing.Stage;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.StageReport;

/** A request that was received too often without an outcome, because each worker was stopped: it is failed unread. */
public final class DeadLetter {
    private static final int MOST_RECEIVES = 5;

    private DeadLetter() {}

    public static boolean isDue(int receives) {
        return receives > MOST_RECEIVES;
    }

    public static StageReport report(IngestRequest request) {
        var stage = new Stage(StageKey.READ_METADATA, StageStatus.failed, MOST_RECEIVES, message("read"));
        return new StageReport(request.storeId(), request.partId(), request.workflowKey(), stage, null);
    }

    public static SliceAnswer answer(SliceRequest request) {
        return new SliceAnswer(request.storeId(), request.sliceId(), null, message("sliced"));
    }

    private static String message(String verb) {
        return "The worker was stopped each time it " + verb + " this file";
    }
}
