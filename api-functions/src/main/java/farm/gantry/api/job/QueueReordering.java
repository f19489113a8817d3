package farm.gantry.api.job;

import farm.gantry.Permission;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.job.Priority;
import farm.gantry.job.QueueOrder;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Changes of the queue's order. */
@Controller("/v1/print-jobs")
@Blocking
final class QueueReordering {
    /** Positions start at 0, so there is always room before the first job and after the last. */
    private static final long MAX_POSITION = 1_000_000_000_000_000L;

    private final Table<PrintJob> jobs;
    private final JobRows places;
    private final Database database;
    private final RecordReader reader;
    private final Scheduler scheduler;

    QueueReordering(Tables tables, JobRows places, Database database, RecordReader reader, Scheduler scheduler) {
        this.jobs = tables.of(PrintJob.class);
        this.places = places;
        this.database = database;
        this.reader = reader;
        this.scheduler = scheduler;
    }

    /**
     * {@code newQueueOrder} is the new {@code queueOrder} of the job, {@code priority} 100 or 1000; at least one is
     * required.
     */
    @Serdeable
    record Position(
            @Nullable @Min(-MAX_POSITION) @Max(MAX_POSITION) Long newQueueOrder,
            @Nullable @Priority Integer priority) {}

    @Serdeable
    record JobPosition(
            String printJobId,
            @Nullable @Min(-MAX_POSITION) @Max(MAX_POSITION) Long newQueueOrder,
            @Nullable @Priority Integer priority) {}

    @Serdeable
    record JobPositions(@Size(min = 1, max = 1000) List<@Valid JobPosition> updates) {}

    /** The jobs to move, in the order in which they are to be printed. */
    @Serdeable
    record MoveToFrontRequest(@Size(min = 1, max = 1000) List<String> printJobIds) {}

    /**
     * Moves waiting jobs to the front of the queue, in the given order. Jobs that no longer wait are left unchanged; if
     * one is unknown, nothing is changed.
     */
    @Patch("/move-to-queue-front")
    @RequiresPermission(Permission.QUEUE_OVERRIDE)
    List<String> moveToQueueFront(Caller caller, @Body @BodyType(MoveToFrontRequest.class) JsonNode body) {
        List<String> ids = reader.read(MoveToFrontRequest.class, body).printJobIds();
        List<String> moved = database.in(caller, tx -> {
            List<String> waiting = lockWaiting(tx, ids);
            List<Long> front = places.frontOfQueue(tx, waiting.size());
            setPositions(
                    tx,
                    IntStream.range(0, waiting.size())
                            .mapToObj(i -> new JobPosition(waiting.get(i), front.get(i), null))
                            .toList());
            return waiting;
        });
        scheduler.trigger(caller.store());
        return moved;
    }

    /** Locks the queue's order and returns the jobs that still wait. */
    private List<String> lockWaiting(Tx tx, List<String> ids) {
        places.lockQueue(tx);
        return jobs.lockRequired(tx, ids).stream()
                .filter(job -> job.status() == JobStatus.Pending)
                .map(PrintJob::id)
                .toList();
    }

    /**
     * Changes the position or priority of a waiting job. A job that already has the position, and those directly behind
     * it, move back by one. Among jobs of one priority, the lowest {@code queueOrder} is printed first. 409 if the job
     * no longer waits.
     */
    @Patch("/{id}/reorder")
    @RequiresPermission(Permission.QUEUE_OVERRIDE)
    HttpResponse<PrintJob> reorder(
            Caller caller, String id, IfMatch ifMatch, @Body @BodyType(Position.class) JsonNode body) {
        Position place = reader.read(Position.class, body);
        JobPosition request = new JobPosition(Resources.parseId(id), place.newQueueOrder(), place.priority());
        Faults faults = new Faults();
        check("", request, faults);
        faults.check();
        RawJson<PrintJob> moved = database.in(caller, tx -> {
            places.lockQueue(tx);
            PrintJob job = jobs.lock(tx, id).orElseThrow(() -> ProblemException.notFound("print job"));
            ProblemException.throwIfStale(ifMatch.isStale(
                    () -> jobs.get(tx, id, Secrets.Visibility.HIDDEN).orElseThrow()));
            if (job.status() != JobStatus.Pending) {
                throw ProblemException.conflict(
                        "the job is " + job.status().wireName() + " and no longer waits in the queue");
            }
            setPositions(tx, List.of(request));
            return jobs.get(tx, id, Secrets.Visibility.HIDDEN).orElseThrow();
        });
        scheduler.trigger(caller.store());
        return JsonResponses.ok(moved);
    }

    /**
     * Changes the positions of many jobs in the queue. Each job gets the exact position given, and jobs not named make
     * room. Returns the changed jobs. A job that no longer waits is left unchanged; if one is unknown, nothing is
     * changed.
     */
    @Patch("/bulk-reorder")
    @RequiresPermission(Permission.QUEUE_OVERRIDE)
    HttpResponse<List<PrintJob>> bulkReorder(Caller caller, @Body @BodyType(JobPositions.class) JsonNode body) {
        List<JobPosition> updates = reader.read(JobPositions.class, body).updates();
        check(updates);
        RawJson<List<PrintJob>> moved = database.in(caller, tx -> {
            List<String> waiting =
                    lockWaiting(tx, updates.stream().map(JobPosition::printJobId).toList());
            setPositions(
                    tx,
                    updates.stream()
                            .filter(update -> waiting.contains(update.printJobId()))
                            .toList());
            return jobs.get(tx, waiting, Secrets.Visibility.HIDDEN);
        });
        scheduler.trigger(caller.store());
        return JsonResponses.ok(moved);
    }

    private static void check(List<JobPosition> updates) {
        Faults faults = new Faults();
        Set<String> ids = new HashSet<>();
        Set<Long> taken = new HashSet<>();
        for (int i = 0; i < updates.size(); i++) {
            JobPosition update = updates.get(i);
            String path = "updates[" + i + "].";
            check(path, update, faults);
            if (!ids.add(update.printJobId())) {
                faults.add(path + "printJobId", "invalid", path + "printJobId appears twice");
            }
            if (update.newQueueOrder() != null && !taken.add(update.newQueueOrder())) {
                faults.add(path + "newQueueOrder", "invalid", path + "newQueueOrder is also given for another job");
            }
        }
        faults.check();
    }

    private static void check(String path, JobPosition update, Faults faults) {
        if (update.priority() == null && update.newQueueOrder() == null) {
            faults.add(path + "newQueueOrder", "required", path + "newQueueOrder or priority is required");
        }
    }

    private void setPositions(Tx tx, List<JobPosition> updates) {
        Set<Long> taken = updates.stream()
                .map(JobPosition::newQueueOrder)
                .filter(place -> place != null)
                .collect(Collectors.toSet());
        if (!taken.isEmpty()) {
            Map<String, Long> others = places.findQueueOrder(tx);
            updates.stream()
                    .filter(update -> update.newQueueOrder() != null)
                    .forEach(update -> others.remove(update.printJobId()));
            places.setQueueOrder(tx, QueueOrder.makeRoom(others, taken));
        }
        Map<String, Change<PrintJob>> changes = new LinkedHashMap<>();
        for (JobPosition update : updates) {
            Change<PrintJob> change = new Change<PrintJob>().when(PrintJob::status, JobStatus.Pending);
            if (update.newQueueOrder() != null) {
                change.set(PrintJob::queueOrder, update.newQueueOrder());
            }
            if (update.priority() != null) {
                change.set(PrintJob::priority, update.priority());
            }
            changes.put(update.printJobId(), change);
        }
        jobs.changeAll(tx, changes);
    }
}
