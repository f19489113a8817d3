package farm.gantry.api.schedule;

import farm.gantry.api.store.FilamentUseRows;
import farm.gantry.api.store.SchedulerRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.Matching;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.Spools;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One look at a store: free printers get waiting jobs, and those that have what they need begin. The store is looked at
 * by one round at a time, in few statements however many jobs and printers there are.
 */
@Singleton
public final class SchedulingRound {
    private static final int FIRST_PAGE = 500;
    private static final int PAGE_GROWTH = 4;
    private static final int LARGEST_PAGE = 20_000;

    private final Table<PrintJob> jobs;
    private final Table<Printer> printers;
    private final SchedulerRows rows;
    private final Candidates candidates;
    private final JobTransitions transitions;
    private final BedClearing bedClearing;
    private final JobSlicing slices;
    private final PrintStarter starter;
    private final FilamentUseRows uses;

    SchedulingRound(
            Tables tables,
            SchedulerRows rows,
            Candidates candidates,
            JobTransitions transitions,
            BedClearing bedClearing,
            JobSlicing slices,
            PrintStarter starter,
            FilamentUseRows uses) {
        this.jobs = tables.of(PrintJob.class);
        this.printers = tables.of(Printer.class);
        this.rows = rows;
        this.candidates = candidates;
        this.transitions = transitions;
        this.bedClearing = bedClearing;
        this.slices = slices;
        this.starter = starter;
        this.uses = uses;
    }

    /** {@code next} is when to look again although nothing happens; null when only a change can matter. */
    public record Outcome(boolean hasCommands, @Nullable Instant next) {
        static final Outcome NOTHING = new Outcome(false, null);
    }

    public Outcome run(Tx tx, Instant now) {
        if (!rows.isAnythingWaiting(tx)) {
            return Outcome.NOTHING;
        }
        tx.alone("schedule");
        bedClearing.stopOverdue(tx, now);
        StoreSettings settings = candidates.settings(tx);
        List<Candidate> free = candidates.free(tx, now);
        boolean isPaused = settings.queuePausedAt() != null;
        Set<String> moved = new HashSet<>();
        if (!free.isEmpty() && !isPaused) {
            moved.addAll(placeJobs(tx, settings, free, now));
        }
        slices.request(tx, settings, now);
        PrintStarter.Started started = starter.start(tx, settings, now);
        moved.addAll(started.jobIds());
        transitions.updateBuildsOf(tx, moved);
        return new Outcome(!started.jobIds().isEmpty(), started.next());
    }

    /** Reads no more of the queue than the printers are likely to take, and ever more of it while some stay free. */
    private Set<String> placeJobs(Tx tx, StoreSettings settings, List<Candidate> free, Instant now) {
        Matching matching = candidates.matching(tx, settings);
        PlacementPlanner placing = new PlacementPlanner(matching, free);
        List<PlacementPlanner.Placement> placements = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        int passed = 0;
        for (int page = FIRST_PAGE + 2 * free.size();
                !placing.isFull();
                page = Math.min(PAGE_GROWTH * page, LARGEST_PAGE)) {
            List<PlacementPlanner.Waiting> waiting = rows.waiting(tx, settings, page, passed);
            amongAll(tx, matching, waiting).stream()
                    .filter(job -> seen.add(job.jobId())) // One that moved back in the queue meanwhile comes again.
                    .forEach(job -> placing.place(job).ifPresent(placements::add));
            passed += page;
            if (waiting.size() < page) {
                break;
            }
        }
        return assign(tx, settings, matching, placements, now);
    }

    /** The jobs as they stand among all printers of the store, which are read only where a job failed on some. */
    private List<PlacementPlanner.Waiting> amongAll(Tx tx, Matching matching, List<PlacementPlanner.Waiting> waiting) {
        if (waiting.stream().allMatch(job -> job.requirement().failedOn().isEmpty())) {
            return waiting;
        }
        List<Candidate> all = candidates.all(tx);
        return waiting.stream()
                .map(job -> new PlacementPlanner.Waiting(
                        job.jobId(), job.attempt(), job.requirement().among(all, matching)))
                .toList();
    }

    /**
     * Takes the printers for the jobs; a printer or a job that was changed meanwhile is left for the next round. Jobs are
     * locked before printers, as everywhere.
     *
     * @return the ids of the jobs that have a printer now
     */
    private Set<String> assign(
            Tx tx,
            StoreSettings settings,
            Matching matching,
            List<PlacementPlanner.Placement> placements,
            Instant now) {
        jobs.lockUnread(
                tx,
                placements.stream().map(placement -> placement.job().jobId()).toList());
        Map<String, Candidate> held = candidates.lock(
                tx,
                placements.stream()
                        .map(placement -> placement.printer().printer().id())
                        .toList(),
                now);
        List<PlacementPlanner.Placement> sure = placements.stream()
                .filter(placement -> {
                    Candidate printer = held.get(placement.printer().printer().id());
                    return printer != null && matching.isFree(printer);
                })
                .toList();
        Map<String, String> printerOfJob = new HashMap<>();
        sure.forEach(placement -> printerOfJob.put(
                placement.job().jobId(), placement.printer().printer().id()));
        Set<String> assigned = new HashSet<>();
        JobStatus.Move ready = settings.requireApproval() ? JobStatus.Move.AWAIT_APPROVAL : JobStatus.Move.MAKE_READY;
        assigned.addAll(transitions.moveAll(
                tx, JobStatus.Pending, List.of(JobStatus.Move.ASSIGN, ready), changes(sure, false, now)));
        assigned.addAll(transitions.moveAll(
                tx, JobStatus.Pending, List.of(JobStatus.Move.ASSIGN, JobStatus.Move.SLICE), changes(sure, true, now)));
        uses.reserve(
                tx,
                sure.stream()
                        .filter(placement -> assigned.contains(placement.job().jobId()))
                        .flatMap(SchedulingRound::uses)
                        .toList());
        printers.changeAll(
                tx,
                Map.of(),
                assigned.stream()
                        .map(jobId -> Map.<String, @Nullable Object>of(
                                "id",
                                Optional.ofNullable(printerOfJob.get(jobId)).orElseThrow(),
                                "printingJobId",
                                jobId))
                        .toList());
        return assigned;
    }

    private static Stream<FilamentUseRows.Use> uses(PlacementPlanner.Placement placement) {
        return placement.shares().entrySet().stream().map(share -> {
            Spools.Spool spool = placement.printer().spools().bySlot().get(share.getKey());
            return new FilamentUseRows.Use(
                    placement.job().jobId(),
                    placement.job().attempt(),
                    share.getKey(),
                    spool == null ? null : spool.instanceId(),
                    share.getValue());
        });
    }

    private static Map<String, Map<String, @Nullable Object>> changes(
            List<PlacementPlanner.Placement> placements, boolean sliced, Instant now) {
        return placements.stream()
                .filter(placement -> placement.job().requirement().needsSlicing() == sliced)
                .collect(Collectors.toMap(placement -> placement.job().jobId(), placement -> {
                    Map<String, @Nullable Object> change = new HashMap<>();
                    change.put(
                            "assignedPrinterId", placement.printer().printer().id());
                    change.put("assignmentStartedAt", now);
                    change.put("errorMessage", null);
                    change.put("assignmentCompletedAt", sliced ? null : now);
                    Map<String, PrintJob.Slot> mapping = new LinkedHashMap<>();
                    placement.materialMapping().forEach((index, slot) -> mapping.put(String.valueOf(index), slot));
                    change.put("materialMapping", mapping);
                    if (sliced) {
                        change.put("filesToPrint", List.<PrintJob.FileToPrint>of());
                    }
                    return change;
                }));
    }
}
