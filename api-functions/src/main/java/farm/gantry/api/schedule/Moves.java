package farm.gantry.api.schedule;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.store.Jobs;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.build.PartBuild;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Moves jobs along the one table of moves, and takes their builds and the webhooks with them. */
@Singleton
public final class Moves {
    private final Table<PrintJob> jobs;
    private final Table<PartBuild> builds;
    private final Jobs counts;
    private final Webhooks webhooks;

    Moves(Tables tables, Jobs counts, Webhooks webhooks) {
        this.jobs = tables.of(PrintJob.class);
        this.builds = tables.of(PartBuild.class);
        this.counts = counts;
        this.webhooks = webhooks;
    }

    /** The job after the move; empty, and nothing changed, when the move is not allowed from where the job stands. */
    public Optional<PrintJob> move(Tx tx, PrintJob job, JobStatus.Move move, Map<String, ?> also) {
        Optional<JobStatus> next = job.status().after(move);
        if (next.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> changes = new HashMap<>(also);
        changes.put("status", next.get());
        if (!jobs.change(tx, job.id(), Map.of("status", job.status().wire()), changes)) {
            return Optional.empty();
        }
        Optional<PrintJob> moved = jobs.find(tx, job.id());
        refresh(tx, job.partBuildId());
        event(move).ifPresent(event -> webhooks.emit(tx, event, job.assignedPrinterId(), job.id()));
        return moved;
    }

    private static Optional<EventName> event(JobStatus.Move move) {
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
                            PAUSE,
                            RESUME,
                            RETRY -> null;
                });
    }

    /** Brings a build's status in line with its jobs'. */
    private void refresh(Tx tx, String partBuildId) {
        PartBuild build = builds.lock(tx, partBuildId).orElseThrow();
        Map<JobStatus, Integer> statuses = counts.statuses(tx, partBuildId);
        PartBuild.Status status = status(statuses);
        if (status == build.status()) {
            return;
        }
        Map<String, @Nullable Object> changes = new HashMap<>();
        Instant now = Resources.now();
        changes.put("status", status);
        if (build.startedAt() == null && status == PartBuild.Status.printing) {
            changes.put("startedAt", now);
        }
        changes.put("completedAt", status == PartBuild.Status.success || status == PartBuild.Status.error ? now : null);
        changes.put("cancelledAt", status == PartBuild.Status.cancelled ? now : null);
        builds.change(tx, partBuildId, Map.of(), changes);
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
