package farm.gantry.api.job;

import farm.gantry.Permission;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.job.lifecycle.JobCancellation;
import farm.gantry.api.job.lifecycle.JobCommands;
import farm.gantry.api.job.lifecycle.JobRetry;
import farm.gantry.api.job.lifecycle.PrintQuality;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.PrintJob;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Print jobs. Builds create them; people, the scheduler and printers change their status. */
@Controller("/v1/print-jobs")
final class PrintJobs extends ReadRoutes<PrintJob> {
    private final Table<PrintJob> table;
    private final Database database;
    private final RecordReader reader;
    private final JobCancellation cancellation;
    private final JobRetry retry;
    private final JobCommands commands;
    private final PrintQuality quality;
    private final AgentSignals agents;
    private final Scheduler scheduler;

    PrintJobs(
            ResourceFactory factory,
            Database database,
            RecordReader reader,
            JobCancellation cancellation,
            JobRetry retry,
            JobCommands commands,
            PrintQuality quality,
            AgentSignals agents,
            Scheduler scheduler) {
        super(factory.of(PrintJob.class, "print job"));
        this.table = resources.table();
        this.database = database;
        this.reader = reader;
        this.cancellation = cancellation;
        this.retry = retry;
        this.commands = commands;
        this.quality = quality;
        this.agents = agents;
        this.scheduler = scheduler;
    }

    /** The jobs to change. */
    @Serdeable
    record Selection(@Size(min = 1, max = 1000) List<String> printJobIds) {}

    @Patch("/{id}")
    @RequiresPermission(Permission.JOB_EDIT)
    HttpResponse<PrintJob> patch(
            Caller caller, String id, IfMatch ifMatch, @Body @BodyType(PrintJob.class) JsonNode body) {
        return resources.patch(caller, id, ifMatch, body);
    }

    /**
     * Pauses jobs that print. The printers are asked to pause. A job becomes {@code Paused} when its printer reports
     * it.
     */
    @Patch("/pause")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> pause(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeEach(caller, body, commands::pause);
    }

    /**
     * Resumes paused jobs. The printers are asked to resume; a job becomes {@code Printing} when its printer reports
     * it.
     */
    @Patch("/resume")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> resume(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeEach(caller, body, commands::resume);
    }

    /**
     * Cancels jobs. They count as cancelled at once. If a printer already has the job, the printer stays occupied until
     * it reports that it stopped.
     */
    @Patch("/cancel")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> cancel(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeAll(
                caller,
                body,
                (tx, jobs) ->
                        cancellation.cancel(tx, jobs).stream().map(PrintJob::id).toList());
    }

    /**
     * Retries failed and cancelled jobs. They return to their queue positions as new attempts. Slices are kept; the
     * printer, times and outcome of the last attempt are not. Jobs that were replaced, and jobs of an order that does
     * not lack them, are left unchanged.
     */
    @Patch("/retry")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> retry(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeAll(caller, body, retry::retry);
    }

    /**
     * The pieces of a completed print. {@code objects} names the rejected objects of its plate, if known, so that only
     * these are printed again.
     */
    @Serdeable
    record QualityRequest(
            @Min(0) @Max(10_000) int good,
            @Min(0) @Max(10_000) int rejected,
            @Nullable @Size(max = 2000) String reason,
            @Nullable @Size(max = 1000) List<@NotBlank @Size(max = 500) String> objects) {}

    /**
     * Records how many pieces of a completed print are good. Rejected pieces are printed again once, at the same queue
     * position, and the order is reopened for them. Setting {@code rejected} to 0 withdraws a reprint that has not
     * started.
     */
    @Patch("/{id}/quality")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    HttpResponse<PrintJob> judge(
            Caller caller, String id, IfMatch ifMatch, @Body @BodyType(QualityRequest.class) JsonNode body) {
        QualityRequest request = reader.read(QualityRequest.class, body);
        List<String> objects = request.objects() == null ? List.of() : request.objects();
        if (request.good() + request.rejected() == 0) {
            throw ProblemException.invalid("good", "range", "good and rejected must be at least 1 in total");
        } else if (objects.size() > request.rejected()) {
            throw ProblemException.invalid("objects", "range", "objects must not contain more pieces than rejected");
        }
        Resources.parseId(id);
        RawJson<PrintJob> judged = database.in(caller, tx -> {
            PrintJob job = table.lock(tx, id).orElseThrow(() -> ProblemException.notFound("print job"));
            ProblemException.throwIfStale(resources.isStale(tx, caller, id, ifMatch));
            quality.judge(tx, job, request.good(), request.rejected(), request.reason(), objects);
            return table.get(tx, id, table.secretVisibility(caller)).orElseThrow();
        });
        scheduler.trigger(caller.store());
        return JsonResponses.ok(judged);
    }

    /** Hides ended jobs from the queue's lists. */
    @Patch("/clear")
    @RequiresPermission(Permission.JOB_DELETE)
    List<String> clear(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return changeAll(caller, body, (tx, jobs) -> {
            List<String> over = jobs.stream()
                    .filter(job -> job.status().isFinished())
                    .map(PrintJob::id)
                    .toList();
            table.changeAll(tx, over, new Change<PrintJob>().set(PrintJob::hidden, true));
            return over;
        });
    }

    /** {@code doing} returns whether it changed the job. */
    private List<String> changeEach(Caller caller, JsonNode body, BiPredicate<Tx, PrintJob> doing) {
        return changeAll(
                caller,
                body,
                (tx, jobs) -> jobs.stream()
                        .filter(job -> doing.test(tx, job))
                        .map(PrintJob::id)
                        .toList());
    }

    private List<String> changeAll(Caller caller, JsonNode body, BiFunction<Tx, List<PrintJob>, List<String>> doing) {
        List<String> ids = reader.read(Selection.class, body).printJobIds();
        List<String> done = database.in(caller, tx -> doing.apply(tx, table.lockRequired(tx, ids)));
        scheduler.trigger(caller.store());
        agents.signal(caller.store());
        return done;
    }
}
