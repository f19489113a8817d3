package farm.gantry.api.queue;

/** Queues between API and worker, and queues that wake functions. */
public final class QueueNames {
    /** API → worker: {@link farm.gantry.wire.IngestRequest}, of {@link IngestLane#PLAIN}. */
    public static final String INGEST = "ingest";
    /** API → worker: ingest requests of {@link IngestLane#MODEL}. */
    public static final String INGEST_MODEL = "ingest-model";
    /** API → worker: ingest requests of {@link IngestLane#HEAVY}. */
    public static final String INGEST_HEAVY = "ingest-heavy";
    /** Worker → API: lists of {@link farm.gantry.wire.StageReport}, each of one run. */
    public static final String STAGE_REPORTS = "stage-reports";
    /** API → worker: {@link farm.gantry.wire.SliceRequest}. */
    public static final String SLICE = "slice";
    /** Worker → API: {@link farm.gantry.wire.SliceResult}. */
    public static final String SLICE_ANSWERS = "slice-answers";

    /** To functions: stores that need a scheduling round. */
    public static final String SCHEDULE = "schedule";
    /** To functions: stores with due webhook deliveries. */
    public static final String WEBHOOKS = "webhooks";

    private QueueNames() {}
}
