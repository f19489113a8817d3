package farm.gantry.api.promise;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.schedule.CandidateLoader;
import farm.gantry.api.schedule.SchedulerRows;
import farm.gantry.job.JobStatus;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.promise.FarmState;
import farm.gantry.promise.RemainingTimeEstimator;
import farm.gantry.promise.WaitReason;
import farm.gantry.promise.WorkPattern;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Loads the state of a store's farm: its printers, their current jobs and the queue. */
@Singleton
public final class FarmStateLoader {
    /** The assumed duration of a print without an estimate, in seconds. */
    public static final double UNKNOWN_SECONDS = 3600;

    /** The assumed seconds until a throttle group admits the next start, if temperatures decide. */
    private static final long HEATING_SECONDS = 300;

    /**
     * The maximum number of waiting jobs for which finish times are estimated. A plan takes some 300 bytes of memory for each; the jobs
     * behind them get estimates when the queue is shorter.
     */
    static final int MAX_WAITING_JOBS = 100_000;

    private final CandidateLoader candidates;
    private final SchedulerRows rows;
    private final PromiseRows promises;
    private final PrinterStateRows states;
    private final Table<PrinterThrottleGroup> groups;
    private final FarmLearner learning;
    private final InstantSource clock;
    private final int maxWaitingJobs;

    @Inject
    FarmStateLoader(
            CandidateLoader candidates,
            SchedulerRows rows,
            PromiseRows promises,
            PrinterStateRows states,
            Tables tables,
            FarmLearner learning,
            InstantSource clock) {
        this(candidates, rows, promises, states, tables, learning, clock, MAX_WAITING_JOBS);
    }

    FarmStateLoader(
            CandidateLoader candidates,
            SchedulerRows rows,
            PromiseRows promises,
            PrinterStateRows states,
            Tables tables,
            FarmLearner learning,
            InstantSource clock,
            int maxWaitingJobs) {
        this.candidates = candidates;
        this.rows = rows;
        this.promises = promises;
        this.states = states;
        this.groups = tables.of(PrinterThrottleGroup.class);
        this.learning = learning;
        this.clock = clock;
        this.maxWaitingJobs = maxWaitingJobs;
    }

    /** Returns the state with the first {@link #MAX_WAITING_JOBS} jobs of the queue. */
    public FarmState load(Tx tx, Instant now) {
        StoreSettings settings = candidates.loadSettings(tx);
        List<Candidate> printers = candidates.loadAll(tx);
        Map<String, PromiseRows.AssignedJob> jobs = loadAssignedJobs(tx, printers);
        Map<String, PrinterState> reported = states.find(
                tx,
                printers.stream()
                        .filter(each -> each.condition().isBusy()
                                || jobs.containsKey(each.printer().id()))
                        .map(each -> each.printer().id())
                        .toList());
        JobMatcher matching = candidates.loadMatcher(tx, settings);
        FarmLearner.Lessons lessons = learning.lessons(tx, settings, now);
        return new FarmState(
                now.truncatedTo(ChronoUnit.SECONDS),
                ZoneId.of(settings.timezone()),
                matching,
                printers.stream()
                        .map(each -> {
                            String id = each.printer().id();
                            return new FarmState.PlannedPrinter(
                                    each, currentJob(each, jobs.get(id), reported.get(id)), JobMatcher.isReady(each));
                        })
                        .toList(),
                queue(tx, settings, jobs.values()).stream()
                        .map(job -> job.avoidingFailedPrinters(printers, matching))
                        .toList(),
                loadStartLimits(tx),
                lessons.work(),
                lessons.deviations());
    }

    /** Returns whether the state has all jobs that wait. */
    public boolean isComplete(FarmState farm) {
        return farm.queue().size() < maxWaitingJobs;
    }

    /** Returns why a waiting job has no estimate. */
    WaitReason reasonWithoutEstimate(Tx tx) {
        return rows.isQueueLongerThan(tx, maxWaitingJobs)
                ? new WaitReason(
                        WaitReason.Code.queue,
                        "Other jobs are printed before it. Finish times are estimated for the first " + maxWaitingJobs
                                + " jobs of the queue.",
                        null,
                        null,
                        null)
                : new WaitReason(
                        WaitReason.Code.blocked,
                        "It may wait, and jobs of low priority are not printed now: see the store's settings.",
                        null,
                        null,
                        null);
    }

    /** Returns the current jobs by printer id. */
    private Map<String, PromiseRows.AssignedJob> loadAssignedJobs(Tx tx, List<Candidate> printers) {
        Map<String, String> printerOf = new HashMap<>();
        for (Candidate each : printers) {
            String jobId = each.printer().printingJobId();
            if (jobId != null) {
                printerOf.put(jobId, each.printer().id());
            }
        }
        return promises.findAssignedJobs(tx, printerOf.keySet()).stream()
                .filter(job -> job.printerId().equals(printerOf.get(job.jobId())))
                .collect(Collectors.toMap(PromiseRows.AssignedJob::printerId, Function.identity()));
    }

    /** Returns the first waiting jobs and, before those of equal priority, the printers' current jobs, which return there if they fail. */
    private List<FarmState.QueuedJob> queue(
            Tx tx, StoreSettings settings, Collection<PromiseRows.AssignedJob> current) {
        List<String> ids =
                current.stream().map(PromiseRows.AssignedJob::jobId).sorted().toList();
        return Stream.concat(
                        rows.jobs(tx, settings, UNKNOWN_SECONDS, ids).stream(),
                        rows.queue(tx, settings, UNKNOWN_SECONDS, maxWaitingJobs).stream())
                .sorted(Comparator.comparingInt(FarmState.QueuedJob::priority))
                .toList();
    }

    /** Returns the source of the work pattern of the store's last promises: its settings, or what was learned. */
    WorkPattern.Source workSource(Tx tx) {
        return learning.last(tx, candidates.loadSettings(tx), clock.instant())
                .work()
                .source();
    }

    /** Returns the current job of the printer. The elapsed time excludes heating and pauses as estimates do. */
    private static FarmState.@Nullable CurrentJob currentJob(
            Candidate printer, PromiseRows.@Nullable AssignedJob job, @Nullable PrinterState state) {
        if (job == null && !printer.condition().isBusy()) {
            return null;
        }
        PrinterState.Progress progress = state != null && state.isPrinting() ? state.job() : null;
        String jobId = job == null ? null : job.jobId();
        boolean isTheirs = progress != null && Objects.equals(progress.jobId(), jobId);
        Long reported = isTheirs && progress != null ? progress.remainingSeconds() : null;
        if (job == null || (job.seconds() <= 0 && reported != null)) {
            return reported == null
                    ? new FarmState.CurrentJob(jobId, UNKNOWN_SECONDS, 0, null, null)
                    : new FarmState.CurrentJob(jobId, 0, 0, reported.doubleValue(), job == null ? null : job.profile());
        }
        double seconds = job.seconds() > 0 ? job.seconds() : UNKNOWN_SECONDS;
        boolean isBegun = job.status() == JobStatus.Printing || job.status() == JobStatus.Paused;
        Long counted = isTheirs && progress != null ? progress.elapsedSeconds() : null;
        Long heating = isTheirs && progress != null ? progress.heatingSeconds() : null;
        boolean isHeating = isTheirs && state != null && state.status() == PrinterState.Status.preparing;
        return new FarmState.CurrentJob(
                jobId,
                seconds,
                isHeating || !isBegun ? 0 : elapsed(job, counted, heating),
                reported == null || (counted != null && RemainingTimeEstimator.isCountdown(seconds, counted, reported))
                        ? null
                        : reported.doubleValue(),
                job.profile());
    }

    /** Our own clock counts where the heating time is known: printers count differently, and simulated ones faster. */
    private static double elapsed(
            PromiseRows.AssignedJob job, @Nullable Long countedSeconds, @Nullable Long heatingSeconds) {
        if (heatingSeconds != null) {
            return Math.max(1, job.elapsed() - heatingSeconds);
        }
        return countedSeconds != null ? countedSeconds : job.elapsed();
    }

    private Map<String, FarmState.StartLimit> loadStartLimits(Tx tx) {
        Map<String, FarmState.StartLimit> limits = new HashMap<>();
        groups.find(tx, ListQuery.all(groups.columns())).stream()
                .filter(PrinterThrottleGroup::enabled)
                .forEach(group ->
                        limits.put(group.id(), new FarmState.StartLimit(group.maxConcurrentStarts(), seconds(group))));
        return limits;
    }

    private static long seconds(PrinterThrottleGroup group) {
        PrinterThrottleGroup.ReleaseConditions until = group.releaseConditions();
        long heating = until.bed() == null && until.nozzle() == null ? 0 : HEATING_SECONDS;
        long duration = until.duration() == null ? 0 : (long) until.duration().seconds();
        long known = Math.max(heating, duration);
        long most = (long) group.fallbackTimeoutSeconds();
        return known == 0 ? most : Math.min(known, most);
    }
}
