package farm.gantry.api.queue;

import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport;
import java.util.List;

/** Handles a worker's stage reports: applies them to the part, or queues them for the API. */
public interface IngestReportHandler {
    /** Returns whether the run is still needed; a message may be delivered twice, and its file may have been replaced. */
    boolean isWanted(IngestRequest request);

    /** Applies the reports of one run, in order; the same reports may be delivered again. */
    void apply(List<StageReport> reports);
}
