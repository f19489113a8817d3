package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Applies moves to jobs ({@link JobStatus}), updates their builds and orders and emits webhook events. */
@Singleton
public final class JobTransitions {
    private final Table<PrintJob> jobs;
    private final Table<PartBuild> builds;
    private final SkuBuildStatuses skuBuilds;
    private final JobRows jobRows;
    private final OrderProgress orders;
    private final FailurePolicies failures;
    private final Rejections rejections;
    private final SpoolUsage spoolUsage;
    private final Webhooks webhooks;
    private final FileCleanup cleanup;

    JobTransitions(
            Tables tables,
            SkuBuildStatuses skuBuilds,
            JobRows jobRows,
            OrderProgress orders,
            FailurePolicies failures,
            Rejections rejections,
            SpoolUsage spoolUsage,
            Webhooks webhooks,
            FileCleanup cleanup) {
        this.jobs = tables.of(PrintJob.class);
        this.builds = tables.of(PartBuild.class);
        this.skuBuilds = skuBuilds;
        this.jobRows = jobRows;
        this.orders = orders;
        this.failures = failures;
        this.rejections = rejections;
        this.spoolUsage = spoolUsage;
        this.webhooks = webhooks;
        this.cleanup = cleanup;
    }

    /**
     * The job after the move; empty if its status does not allow the move. What brings it back to the queue begins its next
     * attempt. A job that a printer gives back after its order was cancelled, or that or its item deleted, is cancelled, too.
     */
    public Optional<PrintJob> move(Tx tx, PrintJob job, JobStatus.Move move, Map<String, ?> also) {
        return move(tx, List.of(job), move, also).stream().findFirst();
    }

    /** The same of many jobs, of which those are returned that were moved; their builds are updated once. */
    public List<PrintJob> move(Tx tx, Collection<PrintJob> some, JobStatus.Move move, Map<String, ?> also) {
        Map<JobStatus, List<PrintJob>> byStatus =
                some.stream().collect(Collectors.groupingBy(PrintJob::status, LinkedHashMap::new, Collectors.toList()));
        List<Moved> moved = new ArrayList<>();
        byStatus.forEach((_, alike) -> moved.addAll(change(tx, alike, move, also)));
        if (!moved.isEmpty()) {
            updateBuilds(
                    tx, moved.stream().map(each -> each.job().partBuildId()).collect(Collectors.toSet()));
            tell(tx, moved);
        }
        return moved.stream().map(Moved::job).toList();
    }

    /** A job before and after a move. */
    private record Moved(PrintJob before, PrintJob job, JobStatus.Move move) {}

    /** Moves jobs of one status. */
    private List<Moved> change(Tx tx, List<PrintJob> alike, JobStatus.Move move, Map<String, ?> also) {
        JobStatus from = alike.getFirst().status();
        JobStatus to = from.after(move).orElse(null);
        if (to == null) {
            return List.of();
        }
        List<Moved> moved = new ArrayList<>();
        List<PrintJob> wanted = alike;
        if (move == JobStatus.Move.RETURN) {
            Map<Boolean, List<PrintJob>> withdrawn =
                    alike.stream().collect(Collectors.partitioningBy(job -> orders.isWithdrawn(tx, job)));
            wanted = withdrawn.getOrDefault(false, List.of());
            List<PrintJob> unwanted = withdrawn.getOrDefault(true, List.of());
            if (!unwanted.isEmpty()) {
                Map<String, Object> ended = new HashMap<>(also);
                ended.put("cancelledAt", Resources.now());
                moved.addAll(change(tx, unwanted, JobStatus.Move.CANCEL, ended));
            }
        }
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (PrintJob job : wanted) {
            Map<String, @Nullable Object> row = row(job.id(), to, also);
            if (to == JobStatus.Pending) {
                row.put("attempt", job.attempt() + 1);
            } else if (to == JobStatus.Cancelled) {
                row.put("errorMessage", null);
            }
            rows.add(row);
        }
        Map<String, PrintJob> now = jobs.findAll(tx, jobs.changeAll(tx, Map.of("status", from.wire()), rows));
        if (to.isFinished()) {
            orders.lock(tx, now.values());
        }
        for (PrintJob before : wanted) {
            PrintJob job = now.get(before.id());
            if (job != null) {
                if (move == JobStatus.Move.FAIL) {
                    failures.onFailed(tx, before, job);
                } else if (move == JobStatus.Move.COMPLETE) {
                    rejections.rejectSkipped(tx, job);
                }
                moved.add(new Moved(before, job, move));
            }
        }
        return moved;
    }

    private static Map<String, @Nullable Object> row(String id, JobStatus status, Map<String, ?> also) {
        Map<String, @Nullable Object> row = new HashMap<>(also);
        row.put("id", id);
        row.put("status", status.wire());
        return row;
    }

    /** Does what follows from moves, once the builds show them. */
    private void tell(Tx tx, List<Moved> moved) {
        Map<EventName, List<Webhooks.Subject>> events = new LinkedHashMap<>();
        for (Moved each : moved) {
            if (each.job().status().isFinished()) {
                cleanup.cleanUpAfterCommit(tx, each.job().partId());
            }
            eventOf(each.move())
                    .ifPresent(event -> events.computeIfAbsent(event, _ -> new ArrayList<>())
                            .add(new Webhooks.Subject(
                                    each.before().assignedPrinterId(),
                                    each.job().id())));
        }
        events.forEach((event, ofJobs) -> webhooks.emitAll(tx, event, ofJobs));
        orders.closeIfDone(
                tx,
                moved.stream()
                        .filter(each -> each.move() == JobStatus.Move.COMPLETE)
                        .flatMap(each -> Stream.ofNullable(each.job().orderId()))
                        .collect(Collectors.toSet()));
        moved.forEach(each -> spoolUsage.onMoved(tx, each.before(), each.job()));
    }

    /** Puts jobs that are over back into the queue as new attempts: nothing of the last one's printer, times and outcome stays. */
    List<PrintJob> retry(Tx tx, List<PrintJob> jobs) {
        Map<String, @Nullable Object> fresh = new HashMap<>();
        PrintJob.OF_ONE_ATTEMPT.forEach(field -> fresh.put(field, null));
        fresh.put("hidden", false);
        fresh.put("wasNotBegun", false);
        fresh.put("skippedObjects", List.of());
        return move(tx, jobs, JobStatus.Move.RETRY, fresh);
    }

    /** Returns a job to the queue by the move and clears its assignment. */
    public Optional<PrintJob> toQueue(Tx tx, PrintJob job, JobStatus.Move move) {
        return toQueue(tx, job, move, null);
    }

    /** The same; {@code reason} is why its printer did not print it, which the job says until it gets another. */
    public Optional<PrintJob> toQueue(Tx tx, PrintJob job, JobStatus.Move move, @Nullable String reason) {
        return toQueue(tx, List.of(job), move, reason).stream().findFirst();
    }

    /** The same of many jobs, of which those are returned that were moved. */
    public List<PrintJob> toQueue(Tx tx, Collection<PrintJob> some, JobStatus.Move move, @Nullable String reason) {
        Map<String, @Nullable Object> unassigned = new HashMap<>();
        unassigned.put("assignedPrinterId", null);
        unassigned.put("materialMapping", null);
        unassigned.put("errorMessage", reason);
        return move(tx, some, move, unassigned);
    }

    /**
     * Applies the same moves to many jobs of one status; {@code changes} maps job ids to their further columns,
     * the same columns for all. Their builds are left to {@link #updateBuilds}, for a transaction may move jobs in several ways.
     *
     * @return the ids of those that still stood there, and now are where the moves lead
     */
    public Set<String> moveAll(
            Tx tx, JobStatus from, List<JobStatus.Move> along, Map<String, ? extends Map<String, ?>> changes) {
        if (changes.isEmpty()) {
            return Set.of();
        }
        JobStatus to = from;
        for (JobStatus.Move move : along) {
            if (eventOf(move).isPresent()) {
                throw new IllegalArgumentException("subscribers are told of each " + move);
            }
            to = to.after(move).orElseThrow(() -> new IllegalArgumentException(from + " cannot go along " + along));
        }
        JobStatus reached = to;
        return jobs.changeAll(
                tx,
                Map.of("status", from.wire()),
                changes.entrySet().stream()
                        .map(change -> row(change.getKey(), reached, change.getValue()))
                        .toList());
    }

    private static Optional<EventName> eventOf(JobStatus.Move move) {
        return Optional.ofNullable(
                switch (move) {
                    case START -> EventName.onJobStarted;
                    case COMPLETE -> EventName.onJobSucceeded;
                    case FAIL -> EventName.onJobFailed;
                    case CANCEL -> EventName.onJobCancelled;
                    case ASSIGN,
                            UNASSIGN,
                            SLICE,
                            SLICED,
                            FINALIZE,
                            AWAIT_APPROVAL,
                            MAKE_READY,
                            SEND,
                            RETURN,
                            PAUSE,
                            RESUME,
                            RETRY -> null;
                });
    }

    /** Updates the statuses of builds from those of their jobs. */
    public void updateBuilds(Tx tx, Collection<String> partBuildIds) {
        if (partBuildIds.isEmpty()) {
            return;
        }
        Map<String, Set<JobStatus>> statuses = jobRows.statuses(tx, partBuildIds);
        Map<String, JobRows.Standing> standings = jobRows.ofBuilds(tx, partBuildIds);
        List<Map<String, @Nullable Object>> changes = new ArrayList<>();
        standings.forEach((id, standing) -> {
            PartBuild.Status status = status(statuses.getOrDefault(id, Set.of()));
            if (status != standing.status()) {
                changes.add(SkuBuildStatuses.change(id, status, standing.started()));
            }
        });
        builds.changeAll(tx, Map.of(), changes);
        skuBuilds.update(tx, partBuildIds);
    }

    private static PartBuild.Status status(Set<JobStatus> statuses) {
        if (statuses.contains(JobStatus.Printing) || statuses.contains(JobStatus.Paused)) {
            return PartBuild.Status.printing;
        } else if (statuses.contains(JobStatus.SENDING_TO_PRINTER)) {
            return PartBuild.Status.SENDING_TO_PRINTER;
        } else if (statuses.stream().anyMatch(JobStatus::isActive)) {
            return PartBuild.Status.preparing;
        } else if (statuses.contains(JobStatus.Pending)) {
            return statuses.contains(JobStatus.Completed) ? PartBuild.Status.fulfilling : PartBuild.Status.queued;
        } else if (statuses.contains(JobStatus.Failed)) {
            return PartBuild.Status.error;
        }
        return statuses.contains(JobStatus.Cancelled) ? PartBuild.Status.cancelled : PartBuild.Status.success;
    }
}
