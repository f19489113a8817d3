package farm.gantry.api.job;

import farm.gantry.Permission;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.util.List;

/** Manual approval of jobs before they go to their printers, where the store requires it. */
@Controller("/v1/print-jobs/approve")
@Blocking
final class JobApprovals {
    private final Table<PrintJob> jobs;
    private final Database database;
    private final RecordReader reader;
    private final JobTransitions transitions;
    private final Scheduler scheduler;

    JobApprovals(
            Tables tables, Database database, RecordReader reader, JobTransitions transitions, Scheduler scheduler) {
        this.jobs = tables.of(PrintJob.class);
        this.database = database;
        this.reader = reader;
        this.transitions = transitions;
        this.scheduler = scheduler;
    }

    @Serdeable
    record ApprovalRequest(@Size(min = 1, max = 1000) List<String> printJobIds) {}

    /** Approves waiting jobs. Approved jobs go to their printers. Returns the ids of the jobs that were approved. */
    @Patch
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> approve(Caller caller, @Body @BodyType(ApprovalRequest.class) JsonNode body) {
        List<String> ids = reader.read(ApprovalRequest.class, body).printJobIds();
        List<String> approved = database.in(caller, tx -> {
            List<PrintJob> waiting = jobs.lockRequired(tx, ids).stream()
                    .filter(job -> job.status() == JobStatus.WAITING_FOR_APPROVAL)
                    .toList();
            return transitions
                    .apply(
                            tx,
                            waiting,
                            JobStatus.Transition.MAKE_READY,
                            new Change<PrintJob>().set(PrintJob::assignmentCompletedAt, Resources.now()))
                    .stream()
                    .map(PrintJob::id)
                    .toList();
        });
        scheduler.trigger(caller.store());
        return approved;
    }
}
