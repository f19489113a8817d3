package farm.gantry.api.queue;

import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport;
import java.util.List;

/** Where a worker's stage reports go: straight to the part they change, or through a queue to where that is done. */
public interface IngestReportHandler {
    /** Whether anybody waits for the run; a message may come twice, and a file be replaced meanwhile. */
    boolean isWanted(IngestRequest request);

    /** Takes reports of one run, in their order; the same may come again. */
    void apply(List<StageReport> reports);
}
