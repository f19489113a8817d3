package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records a person's judgement of the pieces of a completed print; a later judgement replaces an earlier one. */
@Singleton
public final class PrintQuality {
    private final Table<PrintJob> jobs;
    private final FailureRows rows;
    private final RejectedPieces rejections;
    private final OrderProgress orders;
    private final JobTransitions transitions;
    private final JobCancellation cancellation;
    private final JobRetry retry;

    PrintQuality(
            Tables tables,
            FailureRows rows,
            RejectedPieces rejections,
            OrderProgress orders,
            JobTransitions transitions,
            JobCancellation cancellation,
            JobRetry retry) {
        this.jobs = tables.of(PrintJob.class);
        this.rows = rows;
        this.rejections = rejections;
        this.orders = orders;
        this.transitions = transitions;
        this.cancellation = cancellation;
        this.retry = retry;
    }

    /** Judges a locked job; {@code objects} names the rejected objects of its plate, empty if unknown. */
    public void judge(Tx tx, PrintJob job, int good, int rejected, @Nullable String reason, List<String> objects) {
        if (job.status() != JobStatus.Completed) {
            throw ProblemException.conflict("only a completed print can be judged: this job is "
                    + job.status().wireName());
        }
        Optional<PrintJob> replacement =
                rows.findReplacement(tx, job.id(), job.attempt()).flatMap(id -> jobs.lock(tx, id));
        orders.lock(tx, job);
        RejectedPieces.QualityJudgement found = new RejectedPieces.QualityJudgement(good, rejected, reason, objects);
        if (rejected > 0) {
            rejections.reject(tx, job, found);
            replacement
                    .filter(other -> other.status() == JobStatus.Cancelled)
                    .ifPresent(other -> retry.retry(tx, List.of(other)));
        } else {
            rejections.recordJudgement(tx, job, found);
            replacement
                    .filter(other ->
                            !other.status().isFinished() && !other.status().isAtPrinter())
                    .ifPresent(other -> cancellation.cancel(tx, other));
        }
        transitions.updateBuilds(tx, List.of(job.partBuildId()));
        if (job.orderId() != null) {
            orders.closeIfDone(tx, job.orderId());
        }
    }
}
