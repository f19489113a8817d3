package farm.gantry.api.schedule;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.JobRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
    List<PrintJob> move(Tx tx, Collection<PrintJob> some, JobStatus.Move move, Map<String, ?> also) {
        List<Moved> moved = some.stream()
                .flatMap(job -> change(tx, job, move, also).stream())
                .toList();
        if (!moved.isEmpty()) {
            updateBuilds(
                    tx, moved.stream().map(each -> each.job().partBuildId()).collect(Collectors.toSet()));
            moved.forEach(each -> tell(tx, each));
        }
        return moved.stream().map(Moved::job).toList();
    }

    /** A job before and after a move. */
    private record Moved(PrintJob before, PrintJob job, JobStatus.Move move) {}

    private Optional<Moved> change(Tx tx, PrintJob job, JobStatus.Move move, Map<String, ?> also) {
        Optional<JobStatus> next = job.status().after(move);
        if (next.isEmpty()) {
            return Optional.empty();
        } else if (move == JobStatus.Move.RETURN && orders.isWithdrawn(tx, job)) {
            Map<String, Object> ended = new HashMap<>(also);
            ended.put("cancelledAt", Resources.now());
            return change(tx, job, JobStatus.Move.CANCEL, ended);
        }
        Map<String, Object> changes = new HashMap<>(also);
        changes.put("status", next.get());
        if (next.get() == JobStatus.Pending) {
            changes.put("attempt", job.attempt() + 1);
        }
        if (!jobs.change(tx, job.id(), Map.of("status", job.status().wire()), changes)) {
            return Optional.empty();
        }
        PrintJob moved = jobs.find(tx, job.id()).orElseThrow();
        if (next.get().isFinished()) {
            orders.lock(tx, moved);
        }
        if (move == JobStatus.Move.FAIL) {
            failures.onFailed(tx, job, moved);
        } else if (move == JobStatus.Move.COMPLETE) {
            rejections.rejectSkipped(tx, moved);
        }
        return Optional.of(new Moved(job, moved, move));
    }

    /** Does what follows from a move, once the build shows it. */
    private void tell(Tx tx, Moved moved) {
        PrintJob before = moved.before();
        PrintJob job = moved.job();
        if (job.status().isFinished()) {
            cleanup.cleanUpAfterCommit(tx, job.partId());
        }
        eventOf(moved.move()).ifPresent(event -> webhooks.emit(tx, event, before.assignedPrinterId(), job.id()));
        if (moved.move() == JobStatus.Move.COMPLETE && job.orderId() != null) {
            orders.closeIfDone(tx, job.orderId());
        }
        spoolUsage.onMoved(tx, before, job);
    }

    /** Puts a job that is over back into the queue as a new attempt: nothing of the last one's printer, times and outcome stays. */
    public Optional<PrintJob> retry(Tx tx, PrintJob job) {
        Map<String, @Nullable Object> fresh = new HashMap<>();
        PrintJob.OF_ONE_ATTEMPT.forEach(field -> fresh.put(field, null));
        fresh.put("hidden", false);
        fresh.put("wasNotBegun", false);
        fresh.put("skippedObjects", List.of());
        return move(tx, job, JobStatus.Move.RETRY, fresh);
    }

    /** Returns a job to the queue by the move and clears its assignment. */
    public Optional<PrintJob> toQueue(Tx tx, PrintJob job, JobStatus.Move move) {
        Map<String, @Nullable Object> unassigned = new HashMap<>();
        unassigned.put("assignedPrinterId", null);
        unassigned.put("materialMapping", null);
        return move(tx, job, move, unassigned);
    }

    /**
     * Applies the same moves to many jobs of one status; {@code changes} maps job ids to their further columns,
     * the same columns for all. Their builds are left to {@link #updateBuildsOf}, for a transaction may move a job twice.
     *
     * @return the ids of those that still stood there, and now are where the moves lead
     */
    Set<String> moveAll(
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
        String status = to.wire();
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        changes.forEach((id, also) -> {
            Map<String, @Nullable Object> row = new HashMap<>(also);
            row.put("id", id);
            row.put("status", status);
            rows.add(row);
        });
        return jobs.changeAll(tx, Map.of("status", from.wire()), rows);
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

    /** Updates the statuses of the jobs' builds. */
    void updateBuildsOf(Tx tx, Set<String> jobIds) {
        if (!jobIds.isEmpty()) {
            updateBuilds(tx, jobRows.buildsOf(tx, jobIds));
        }
    }

    /** Updates the statuses of builds from those of their jobs. */
    void updateBuilds(Tx tx, Collection<String> partBuildIds) {
        Map<String, Map<JobStatus, Integer>> statuses = jobRows.statuses(tx, partBuildIds);
        Map<String, JobRows.Standing> standings = jobRows.ofBuilds(tx, partBuildIds);
        Instant now = Resources.now();
        Map<Set<String>, List<Map<String, @Nullable Object>>> changes = new HashMap<>();
        standings.forEach((id, standing) -> {
            PartBuild.Status status = status(statuses.getOrDefault(id, Map.of()));
            if (status != standing.status()) {
                Map<String, @Nullable Object> change = new HashMap<>();
                change.put("id", id);
                change.put("status", status);
                if (!standing.started() && status == PartBuild.Status.printing) {
                    change.put("startedAt", now);
                }
                boolean isOver = status == PartBuild.Status.success || status == PartBuild.Status.error;
                change.put("completedAt", isOver ? now : null);
                change.put("cancelledAt", status == PartBuild.Status.cancelled ? now : null);
                changes.computeIfAbsent(change.keySet(), _ -> new ArrayList<>()).add(change);
            }
        });
        changes.values().forEach(alike -> builds.changeAll(tx, Map.of(), alike));
        skuBuilds.update(tx, partBuildIds);
    }

    private static PartBuild.Status status(Map<JobStatus, Integer> statuses) {
        if (has(statuses, JobStatus.Printing) || has(statuses, JobStatus.Paused)) {
            return PartBuild.Status.printing;
        } else if (has(statuses, JobStatus.SENDING_TO_PRINTER)) {
            return PartBuild.Status.SENDING_TO_PRINTER;
        } else if (statuses.keySet().stream().anyMatch(JobStatus::isActive)) {
            return PartBuild.Status.preparing;
        } else if (has(statuses, JobStatus.Pending)) {
            return has(statuses, JobStatus.Completed) ? PartBuild.Status.fulfilling : PartBuild.Status.queued;
        } else if (has(statuses, JobStatus.Failed)) {
            return PartBuild.Status.error;
        }
        return has(statuses, JobStatus.Cancelled) ? PartBuild.Status.cancelled : PartBuild.Status.success;
    }

    private static boolean has(Map<JobStatus, Integer> statuses, JobStatus status) {
        return statuses.containsKey(status);
    }
}
