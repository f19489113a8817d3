package farm.gantry.api.job;

import farm.gantry.Permission;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.AgentSignals;
import farm.gantry.api.schedule.JobTransitions;
import farm.gantry.api.schedule.PrinterReadiness;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.store.CommandRows;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.FileReferences;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.file.FileUri;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.wire.Command;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Print jobs: read here, made by builds, moved by people, the scheduler and the printers. */
@Controller("/v1/print-jobs")
final class PrintJobs extends ReadRoutes<PrintJob> {
    private static final Duration SHORT = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofDays(7);

    private final Table<PrintJob> table;
    private final Table<Printer> printers;
    private final Database database;
    private final RecordReader reader;
    private final JobTransitions transitions;
    private final PrinterReadiness readiness;
    private final CommandRows commands;
    private final AgentSignals agents;
    private final Scheduler scheduler;
    private final Table<PartBuild> builds;
    private final LocalFiles files;
    private final FileReferences references;

    PrintJobs(
            ResourceFactory factory,
            Tables tables,
            Database database,
            RecordReader reader,
            JobTransitions transitions,
            PrinterReadiness readiness,
            CommandRows commands,
            AgentSignals agents,
            Scheduler scheduler,
            LocalFiles files,
            FileReferences references) {
        super(factory.of(PrintJob.class, "print job"));
        this.table = resources.table();
        this.printers = tables.of(Printer.class);
        this.database = database;
        this.reader = reader;
        this.transitions = transitions;
        this.readiness = readiness;
        this.commands = commands;
        this.agents = agents;
        this.scheduler = scheduler;
        this.builds = tables.of(PartBuild.class);
        this.files = files;
        this.references = references;
    }

    /** The jobs to move. */
    @Serdeable
    record Selection(@Size(min = 1, max = 1000) List<String> printJobIds) {}

    @Patch("/{id}")
    @RequiresPermission(Permission.JOB_EDIT)
    HttpResponse<PrintJob> patch(Caller caller, String id, @Body @BodyType(PrintJob.class) JsonNode body) {
        return resources.patch(caller, id, body);
    }

    /** Asks the printers to pause; a job is {@code Paused} when its printer says so. */
    @Patch("/pause")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> pause(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return each(
                caller,
                body,
                (tx, job) -> job.status() == JobStatus.Printing
                        ? tell(tx, job, new Command.Pause(job.id(), job.attempt()), SHORT)
                        : Optional.empty());
    }

    @Patch("/resume")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> resume(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return each(
                caller,
                body,
                (tx, job) -> job.status() == JobStatus.Paused
                        ? tell(tx, job, new Command.Resume(job.id(), job.attempt()), SHORT)
                        : Optional.empty());
    }

    /** Cancels at once; a printer that has the job already stays taken until it says that it stopped. */
    @Patch("/cancel")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> cancel(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return each(
                caller,
                body,
                (tx, job) -> transitions
                        .move(tx, job, JobStatus.Move.CANCEL, Map.of("cancelledAt", Resources.now()))
                        .map(cancelled -> {
                            boolean told = job.status().isAtPrinter()
                                    && tell(tx, job, new Command.Cancel(job.id(), job.attempt()), LONG)
                                            .isPresent();
                            if (!told) {
                                free(tx, job);
                            }
                            return cancelled.id();
                        }));
    }

    private void free(Tx tx, PrintJob job) {
        if (job.assignedPrinterId() == null) {
            return;
        } else if (job.status().isAtPrinter()) {
            readiness.release(tx, job.assignedPrinterId(), job.id(), null);
        } else {
            readiness.unassign(tx, job.assignedPrinterId(), job.id());
        }
    }

    /**
     * Puts failed and cancelled jobs back into the queue, at the place they had, as a new attempt: nothing of the last one's
     * printer, times and outcome stays, what was sliced does.
     */
    @Patch("/retry")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    List<String> retry(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        Map<String, @Nullable Object> fresh = new HashMap<>();
        for (String field : List.of(
                "assignedPrinterId",
                "assignmentStartedAt",
                "assignmentCompletedAt",
                "printingStartedAt",
                "printingCompletedAt",
                "cancelledAt",
                "errorMessage",
                "materialMapping",
                "actualSeconds",
                "actualGrams")) {
            fresh.put(field, null);
        }
        fresh.put("hidden", false);
        fresh.put("wasNotBegun", false);
        return each(caller, body, (tx, job) -> {
            references.lockShared(tx);
            return hasFiles(tx, job)
                    ? transitions.move(tx, job, JobStatus.Move.RETRY, fresh).map(PrintJob::id)
                    : Optional.empty();
        });
    }

    /** A job that is over keeps no file alive. */
    private boolean hasFiles(Tx tx, PrintJob job) {
        return builds.find(tx, job.partBuildId()).orElseThrow().partCopy().fileUris().stream()
                .allMatch(uri -> FileUri.parse(uri).flatMap(files::find).isPresent());
    }

    /** Hides jobs that are over from the queue's lists. */
    @Patch("/clear")
    @RequiresPermission(Permission.JOB_DELETE)
    List<String> clear(Caller caller, @Body @BodyType(Selection.class) JsonNode body) {
        return each(
                caller,
                body,
                (tx, job) -> job.status().isFinished() && table.change(tx, job.id(), Map.of(), Map.of("hidden", true))
                        ? Optional.of(job.id())
                        : Optional.empty());
    }

    /** What is done with one job: its id when it was done, nothing when it does not apply. */
    private interface Doing {
        Optional<String> apply(Tx tx, PrintJob job);
    }

    private List<String> each(Caller caller, JsonNode body, Doing doing) {
        List<String> ids = reader.read(Selection.class, body).printJobIds();
        List<String> done = database.in(
                caller.store(),
                tx -> table.lockNamed(tx, ids).stream()
                        .flatMap(job -> doing.apply(tx, job).stream())
                        .toList());
        scheduler.trigger(caller.store());
        agents.of(caller.store()).signal();
        return done;
    }

    private Optional<String> tell(Tx tx, PrintJob job, Command.Action action, Duration life) {
        return Optional.ofNullable(job.assignedPrinterId())
                .flatMap(id -> printers.find(tx, id))
                .filter(printer -> printer.proxyClientId() != null)
                .map(printer -> {
                    commands.add(tx, Objects.requireNonNull(printer.proxyClientId()), printer.id(), action, life);
                    return job.id();
                });
    }
}
