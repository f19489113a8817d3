package farm.gantry.api.trace;

import farm.gantry.StoreId;
import farm.gantry.job.PrintJob;
import farm.gantry.wire.LinkRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An attempt of a job that has started at a printer, with the times that the agent reported. */
record StartedPrint(
        StoreId store,
        String jobId,
        int attempt,
        String partBuildId,
        @Nullable String printerId,
        Instant startedAt,
        LinkRequest.@Nullable Preparation preparation) {
    static StartedPrint of(StoreId store, PrintJob job, LinkRequest.Event started) {
        return new StartedPrint(
                store,
                job.id(),
                job.attempt(),
                job.partBuildId(),
                job.assignedPrinterId(),
                started.at(),
                started.preparation());
    }
}
