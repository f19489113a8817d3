package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.PrinterEvent.PreparationFailed;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.ServerClock;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs that expired before their print was started. It checks them during the upload too, because a printer that
 * never finishes an upload would hold the job indefinitely.
 */
record JobExpiry(InstantSource clock) {
    /** Returns the event that ends the job of this state if it has expired, otherwise null. */
    @Nullable
    PreparationFailed findExpiry(JobState state) {
        return switch (state) {
            case Prepared(Job job, var _) when isExpired(job) -> expireJob(job, RefusalReason.OFFLINE);
            case Preparing(Job job, var _) when isExpired(job) -> expireJob(job, RefusalReason.EXPIRED);
            default -> null;
        };
    }

    private boolean isExpired(Job job) {
        return ServerClock.isKnown(clock) && job.expiresAt().isBefore(clock.instant());
    }

    static PreparationFailed expireJob(Job job, String reason) {
        return new PreparationFailed(job, Refusal.Cause.PRINTER, reason);
    }
}
