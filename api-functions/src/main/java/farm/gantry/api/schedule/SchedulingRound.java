package farm.gantry.api.schedule;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.FilamentUseRows;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.api.job.slicing.JobSlicing;
import farm.gantry.api.printer.readiness.BedClearing;
import farm.gantry.api.printer.readiness.PrinterConditionRows;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One scheduling round of a store: assigns waiting jobs to free printers and starts those that are ready. Only one round per
 * store runs at a time, with few statements however many jobs and printers there are.
 */
@Singleton
public final class SchedulingRound {
    private static final int FIRST_PAGE = 500;

    private final Table<PrintJob> jobs;
    private final Table<Printer> printers;
    private final SchedulerRows rows;
    private final CandidateLoader candidates;
    private final JobTransitions transitions;
    private final BedClearing bedClearing;
    private final JobSlicing slices;
    private final ThrottleLimiter throttles;
    private final PrintStarter starter;
    private final FilamentUseRows uses;
    private final PrinterConditionRows conditions;

    SchedulingRound(
            Tables tables,
            SchedulerRows rows,
            CandidateLoader candidates,
            JobTransitions transitions,
            BedClearing bedClearing,
            JobSlicing slices,
            ThrottleLimiter throttles,
            PrintStarter starter,
            FilamentUseRows uses,
            PrinterConditionRows conditions) {
        this.jobs = tables.of(PrintJob.class);
        this.printers = tables.of(Printer.class);
        this.rows = rows;
        this.candidates = candidates;
        this.transitions = transitions;
        this.bedClearing = bedClearing;
        this.slices = slices;
        this.throttles = throttles;
        this.starter = starter;
        this.uses = uses;
        this.conditions = conditions;
    }

    /** {@code next} is when to look again although nothing happens; null when only a change can matter. */
    public record Outcome(boolean hasCommands, @Nullable Instant next) {
        static final Outcome NOTHING = new Outcome(false, null);
    }

    public Outcome run(Tx tx, Instant now) {
        if (!rows.isAnythingWaiting(tx)) {
            return Outcome.NOTHING;
        }
        tx.lockExclusive(AdvisoryLock.SCHEDULE);
        bedClearing.stopOverdue(tx, now);
        StoreSettings settings = candidates.loadSettings(tx);
        JobMatcher matching = candidates.loadMatcher(tx, settings);
        List<PlacementPlanner.Placement> placements =
                matching.isQueuePaused() ? List.of() : planPlacements(tx, settings, matching, now);
        List<String> ready = matching.isQueuePaused() ? List.of() : rows.readyJobs(tx);
        ThrottleLimiter.ThrottleState held = throttles.releaseFinished(tx, now);
        boolean hasCommands = !(placements.isEmpty() && ready.isEmpty())
                && assignAndStart(tx, settings, matching, placements, ready, held, now);
        slices.request(tx, settings, now);
        return new Outcome(hasCommands, held.nextExpiry(now));
    }

    /** Reads no more of the queue than the printers are likely to take, and ever more of it while some stay free. */
    private List<PlacementPlanner.Placement> planPlacements(Tx tx, StoreSettings settings, JobMatcher matching, Instant now) {
        List<Candidate> free = candidates.loadFree(tx, now);
        PlacementPlanner placing = new PlacementPlanner(matching, free);
        List<PlacementPlanner.Placement> placements = new ArrayList<>();
        if (!placing.isFull()) {
            rows.waiting(tx, settings, FIRST_PAGE + free.size(), waiting -> {
                avoidFailedPrinters(tx, matching, waiting)
                        .forEach(job -> placing.place(job).ifPresent(placements::add));
                return !placing.isFull();
            });
        }
        return placements;
    }

    /** The jobs as they stand among all printers of the store, which are read only where a job failed on some. */
    private List<PlacementPlanner.WaitingJob> avoidFailedPrinters(Tx tx, JobMatcher matching, List<PlacementPlanner.WaitingJob> waiting) {
        if (waiting.stream().allMatch(job -> job.requirement().failedOn().isEmpty())) {
            return waiting;
        }
        List<Candidate> all = candidates.loadAll(tx);
        return waiting.stream()
                .map(job -> new PlacementPlanner.WaitingJob(
                        job.jobId(), job.attempt(), matching.avoidFailedPrinters(all, job.requirement())))
                .toList();
    }

    /**
     * Gives the placed jobs their printers, and starts those that have all they need and those that stood ready before.
     * Jobs are locked before printers, as everywhere, all at once; what was changed until then is left for the next round.
     *
     * @return whether any was started
     */
    private boolean assignAndStart(
            Tx tx,
            StoreSettings settings,
            JobMatcher matching,
            List<PlacementPlanner.Placement> placements,
            List<String> ready,
            ThrottleLimiter.ThrottleState held,
            Instant now) {
        // Read before the beds, so that events in between invalidate a start.
        Map<String, Long> ackSequences = conditions.findAckSequences(tx);
        Map<String, PrintJob> lockedJobs = jobs.lockAll(
                tx,
                Stream.concat(placements.stream().map(each -> each.job().jobId()), ready.stream())
                        .toList());
        Map<String, Candidate> lockedPrinters = candidates.lockAndLoad(
                tx,
                Stream.concat(
                                placements.stream()
                                        .map(each -> each.printer().printer().id()),
                                lockedJobs.values().stream().flatMap(job -> Stream.ofNullable(job.assignedPrinterId())))
                        .toList(),
                now);
        List<PrinterAssignment> assignments = placements.stream()
                .filter(each -> isAsPlaced(each, lockedJobs, lockedPrinters, matching))
                .map(each -> PrinterAssignment.of(
                        each, Objects.requireNonNull(lockedJobs.get(each.job().jobId())), settings, now))
                .toList();
        PrintStarter.StartResult started = starter.start(
                tx,
                new PrintStarter.StartInput(
                        matching,
                        lockedJobs.values().stream()
                                .filter(job -> job.status() == JobStatus.READY_FOR_PRINTER)
                                .toList(),
                        withNextTransition(assignments, JobStatus.Transition.MAKE_READY),
                        lockedPrinters,
                        ackSequences),
                held,
                now);
        for (JobStatus.Transition next : List.of(JobStatus.Transition.SLICE, JobStatus.Transition.AWAIT_APPROVAL)) {
            transitions.applyAll(
                    tx,
                    JobStatus.Pending,
                    List.of(JobStatus.Transition.ASSIGN, next),
                    PrinterAssignment.changes(withNextTransition(assignments, next)));
        }
        List<PrinterAssignment> fit = assignments.stream()
                .filter(each -> !started.unfit().contains(each.job().id()))
                .toList();
        takePrinters(tx, fit);
        transitions.updateBuilds(
                tx,
                Stream.concat(
                                fit.stream().map(PrinterAssignment::job),
                                started.sent().stream().map(lockedJobs::get).filter(Objects::nonNull))
                        .map(PrintJob::partBuildId)
                        .collect(Collectors.toSet()));
        return !started.sent().isEmpty();
    }

    /** Returns whether neither the job nor the printer was changed meanwhile in a way that matters. */
    private static boolean isAsPlaced(
            PlacementPlanner.Placement placement,
            Map<String, PrintJob> lockedJobs,
            Map<String, Candidate> lockedPrinters,
            JobMatcher matching) {
        PrintJob job = lockedJobs.get(placement.job().jobId());
        Candidate printer = lockedPrinters.get(placement.printer().printer().id());
        return job != null
                && job.status() == JobStatus.Pending
                && job.attempt() == placement.job().attempt()
                && printer != null
                && matching.isFree(printer);
    }

    private static List<PrinterAssignment> withNextTransition(List<PrinterAssignment> assignments, JobStatus.Transition next) {
        return assignments.stream().filter(each -> each.next() == next).toList();
    }

    private void takePrinters(Tx tx, List<PrinterAssignment> assignments) {
        uses.reserve(tx, assignments.stream().flatMap(PrinterAssignment::uses).toList());
        Map<String, Change<Printer>> changes = new LinkedHashMap<>();
        for (PrinterAssignment each : assignments) {
            changes.put(
                    each.printerId(),
                    new Change<Printer>().set(Printer::printingJobId, each.job().id()));
        }
        printers.changeAll(tx, changes);
    }
}
