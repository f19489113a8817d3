package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Change;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Applies transitions to jobs ({@link JobStatus}), updates their builds and orders and emits webhook events. */
@Singleton
public final class JobTransitions {
    private final Table<PrintJob> jobs;
    private final Table<PartBuild> builds;
    private final SkuBuildStatuses skuBuilds;
    private final JobRows jobRows;
    private final OrderProgress orders;
    private final FailurePolicies failures;
    private final RejectedPieces rejections;
    private final SpoolUsage spoolUsage;
    private final Webhooks webhooks;
    private final FileCleanup cleanup;

    JobTransitions(
            Tables tables,
            SkuBuildStatuses skuBuilds,
            JobRows jobRows,
            OrderProgress orders,
            FailurePolicies failures,
            RejectedPieces rejections,
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
     * Applies the transition; empty if the job's status does not allow it. A return to the queue starts the next
     * attempt. A job that a printer returns after its order was cancelled, or after the order or its item was deleted,
     * is cancelled instead.
     */
    public Optional<PrintJob> apply(Tx tx, PrintJob job, JobStatus.Transition move, Change<PrintJob> also) {
        return apply(tx, List.of(job), move, also).stream().findFirst();
    }

    /** Applies the transition to many jobs, updating builds once; returns the changed jobs. */
    public List<PrintJob> apply(Tx tx, Collection<PrintJob> some, JobStatus.Transition move, Change<PrintJob> also) {
        Map<JobStatus, List<PrintJob>> byStatus =
                some.stream().collect(Collectors.groupingBy(PrintJob::status, LinkedHashMap::new, Collectors.toList()));
        List<AppliedTransition> moved = new ArrayList<>();
        byStatus.forEach((_, alike) -> moved.addAll(applyToJobs(tx, alike, move, also)));
        if (!moved.isEmpty()) {
            updateBuilds(
                    tx, moved.stream().map(each -> each.job().partBuildId()).collect(Collectors.toSet()));
            applyConsequences(tx, moved);
        }
        return moved.stream().map(AppliedTransition::job).toList();
    }

    private record AppliedTransition(PrintJob before, PrintJob job, JobStatus.Transition move) {}

    /** Applies the transition to jobs of one status. */
    private List<AppliedTransition> applyToJobs(
            Tx tx, List<PrintJob> alike, JobStatus.Transition move, Change<PrintJob> also) {
        JobStatus from = alike.getFirst().status();
        JobStatus to = from.after(move).orElse(null);
        if (to == null) {
            return List.of();
        }
        List<AppliedTransition> moved = new ArrayList<>();
        List<PrintJob> wanted = alike;
        if (move == JobStatus.Transition.RETURN) {
            Map<Boolean, List<PrintJob>> withdrawn =
                    alike.stream().collect(Collectors.partitioningBy(job -> orders.isWithdrawn(tx, job)));
            wanted = withdrawn.getOrDefault(false, List.of());
            List<PrintJob> unwanted = withdrawn.getOrDefault(true, List.of());
            if (!unwanted.isEmpty()) {
                Change<PrintJob> ended =
                        new Change<PrintJob>().setAll(also).set(PrintJob::cancelledAt, Resources.now());
                moved.addAll(applyToJobs(tx, unwanted, JobStatus.Transition.CANCEL, ended));
            }
        }
        Map<String, Change<PrintJob>> changes = new LinkedHashMap<>();
        for (PrintJob job : wanted) {
            Change<PrintJob> change = statusChange(from, to, also);
            if (to == JobStatus.Pending) {
                change.set(PrintJob::attempt, job.attempt() + 1);
            } else if (to == JobStatus.Cancelled) {
                change.set(PrintJob::errorMessage, null);
            }
            changes.put(job.id(), change);
        }
        Map<String, PrintJob> now = jobs.findAll(tx, jobs.changeAll(tx, changes));
        if (to.isFinished()) {
            orders.lock(tx, now.values());
        }
        for (PrintJob before : wanted) {
            PrintJob job = now.get(before.id());
            if (job != null) {
                if (move == JobStatus.Transition.FAIL) {
                    failures.onFailed(tx, before, job);
                } else if (move == JobStatus.Transition.COMPLETE) {
                    rejections.rejectSkipped(tx, job);
                }
                moved.add(new AppliedTransition(before, job, move));
            }
        }
        return moved;
    }

    private static Change<PrintJob> statusChange(JobStatus from, JobStatus to, Change<PrintJob> also) {
        Change<PrintJob> change =
                new Change<PrintJob>().when(PrintJob::status, from).setAll(also).set(PrintJob::status, to);
        return from == JobStatus.Paused ? change.set(PrintJob::pausedAt, null) : change;
    }

    /** Applies the consequences of transitions after the builds were updated. */
    private void applyConsequences(Tx tx, List<AppliedTransition> moved) {
        Map<EventName, List<Webhooks.Subject>> events = new LinkedHashMap<>();
        for (AppliedTransition each : moved) {
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
        webhooks.resolve(
                tx,
                EventName.onJobPaused,
                moved.stream()
                        .filter(each -> each.before().status() == JobStatus.Paused)
                        .map(each -> each.job().id())
                        .toList());
        orders.closeIfDone(
                tx,
                moved.stream()
                        .filter(each -> each.move() == JobStatus.Transition.COMPLETE)
                        .flatMap(each -> Stream.ofNullable(each.job().orderId()))
                        .collect(Collectors.toSet()));
        moved.forEach(each -> spoolUsage.onTransition(tx, each.before(), each.job()));
    }

    /** Returns ended jobs to the queue as new attempts, without the printer, times and outcome of the last one. */
    List<PrintJob> retry(Tx tx, List<PrintJob> jobs) {
        Change<PrintJob> fresh = new Change<>();
        PrintJob.OF_ONE_ATTEMPT.forEach(field -> fresh.set(field, null));
        fresh.set(PrintJob::hidden, false);
        fresh.setColumn("wasNotBegun", false);
        fresh.set(PrintJob::skippedObjects, List.of());
        return apply(tx, jobs, JobStatus.Transition.RETRY, fresh);
    }

    /** Returns a job to the queue by the transition and clears its assignment. */
    public Optional<PrintJob> returnToQueue(Tx tx, PrintJob job, JobStatus.Transition move) {
        return returnToQueue(tx, job, move, null);
    }

    /**
     * Returns a job to the queue; {@code reason}, why its printer did not print it, is shown until the job gets another
     * printer.
     */
    public Optional<PrintJob> returnToQueue(Tx tx, PrintJob job, JobStatus.Transition move, @Nullable String reason) {
        return returnToQueue(tx, List.of(job), move, reason).stream().findFirst();
    }

    /** Returns many jobs to the queue; returns those that were moved. */
    public List<PrintJob> returnToQueue(
            Tx tx, Collection<PrintJob> some, JobStatus.Transition move, @Nullable String reason) {
        Change<PrintJob> unassigned = new Change<PrintJob>()
                .set(PrintJob::assignedPrinterId, null)
                .set(PrintJob::materialMapping, null)
                .set(PrintJob::errorMessage, reason);
        return apply(tx, some, move, unassigned);
    }

    /**
     * Applies the transitions to many jobs of one status. {@code changes} are further changes by job id, of the same
     * fields for all. Builds are not updated, because a transaction may apply several transitions: call {@link
     * #updateBuilds}.
     *
     * @return the ids of the jobs that still had the status and were changed
     */
    public Set<String> applyAll(
            Tx tx, JobStatus from, List<JobStatus.Transition> along, Map<String, Change<PrintJob>> changes) {
        if (changes.isEmpty()) {
            return Set.of();
        }
        JobStatus to = from;
        for (JobStatus.Transition move : along) {
            if (eventOf(move).isPresent()) {
                throw new IllegalArgumentException("each " + move + " must emit an event");
            }
            to = to.after(move).orElseThrow(() -> new IllegalArgumentException(from + " cannot go along " + along));
        }
        JobStatus reached = to;
        Map<String, Change<PrintJob>> moved = new LinkedHashMap<>();
        changes.forEach((id, change) -> moved.put(id, statusChange(from, reached, change)));
        return jobs.changeAll(tx, moved);
    }

    private static Optional<EventName> eventOf(JobStatus.Transition move) {
        return Optional.ofNullable(
                switch (move) {
                    case START -> EventName.onJobStarted;
                    case PAUSE -> EventName.onJobPaused;
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
                            RESUME,
                            RETRY -> null;
                });
    }

    /** Updates the statuses of builds from those of their jobs. */
    public void updateBuilds(Tx tx, Collection<String> partBuildIds) {
        if (partBuildIds.isEmpty()) {
            return;
        }
        Map<String, Set<JobStatus>> statuses = jobRows.lockAndFindStatuses(tx, partBuildIds);
        Map<String, JobRows.BuildProgress> standings = jobRows.findBuildProgress(tx, partBuildIds);
        Map<String, Change<PartBuild>> changes = new LinkedHashMap<>();
        standings.forEach((id, standing) -> {
            PartBuild.Status status = buildStatus(statuses.getOrDefault(id, Set.of()));
            if (status != standing.status()) {
                changes.put(id, BuildStatusFields.OF_PARTS.change(status, standing.started()));
            }
        });
        builds.changeAll(tx, changes);
        skuBuilds.update(tx, partBuildIds);
    }

    private static PartBuild.Status buildStatus(Set<JobStatus> statuses) {
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
