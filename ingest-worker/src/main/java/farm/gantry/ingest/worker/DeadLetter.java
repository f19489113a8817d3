package farm.gantry.ingest.worker;

import farm.gantry.part.Processing.Stage;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.StageReport;

/** The end of a request over which workers were stopped time and again: it is answered unread. */
public final class DeadLetter {
    private static final int MOST_RECEIVES = 5;

    private DeadLetter() {}

    public static boolean after(int receives) {
        return receives > MOST_RECEIVES;
    }

    public static StageReport on(IngestRequest request) {
        var stage = new Stage(StageKey.READ_METADATA, StageStatus.failed, MOST_RECEIVES, stopped("read"));
        return new StageReport(request.storeId(), request.partId(), request.workflowKey(), stage, null);
    }

    public static SliceAnswer on(SliceRequest request) {
        return new SliceAnswer(request.storeId(), request.sliceId(), null, stopped("sliced"));
    }

    private static String stopped(String verb) {
        return "The worker was stopped each time it " + verb + " this file";
    }
}
