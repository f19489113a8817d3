package farm.gantry.api.queue;

/** The queues between API and worker, and those that wake functions. */
public final class Queues {
    /** API → worker: {@link farm.gantry.wire.IngestRequest}, of {@link Lane#PLAIN}. */
    public static final String INGEST = "ingest";
    /** The same of {@link Lane#MODEL}. */
    public static final String INGEST_MODEL = "ingest-model";
    /** The same of {@link Lane#HEAVY}. */
    public static final String INGEST_HEAVY = "ingest-heavy";
    /** Worker → API: lists of {@link farm.gantry.wire.StageReport}, each of one run. */
    public static final String STAGE_REPORTS = "stage-reports";
    /** API → worker: {@link farm.gantry.wire.SliceRequest}. */
    public static final String SLICE = "slice";
    /** Worker → API: {@link farm.gantry.wire.SliceAnswer}. */
    public static final String SLICE_ANSWERS = "slice-answers";

    /** To the functions: stores to run a scheduling round of. */
    public static final String SCHEDULE = "schedule";
    /** To the functions: stores to deliver webhooks of. */
    public static final String WEBHOOKS = "webhooks";

    private Queues() {}
}
