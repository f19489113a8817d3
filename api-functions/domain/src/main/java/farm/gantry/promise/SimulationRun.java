package farm.gantry.promise;

import static farm.gantry.promise.SimulatedFarm.NONE;

import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.LoadedSpools;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * One simulation run of the farm: printers take jobs in queue order as they become free, people clear beds and change filament, prints take
 * longer or shorter than estimated and may fail. Times are seconds from now; -1 means never.
 */
final class SimulationRun {
    /** The grams on a new spool. */
    private static final double SPOOL_GRAMS = 1000;

    /** The maximum number of reprints of a piece. A farm with more failures in a row has no finish date. */
    private static final int MAX_REPLACEMENTS = 20;

    private static final int PRINTER_BITS = 20;
    private static final long PRINTERS = (1L << PRINTER_BITS) - 1;

    private final SimulatedFarm model;
    private final RandomOutcomes chance;

    final long[] begins;
    final long[] ends;

    /** The end of each job's piece, whether the job prints it or the job that replaces it after its final failure. */
    final long[] pieceEnds;

    final int[] printerOf;

    /** The job that the printer printed before, {@link SimulatedFarm#NONE} for the first one. */
    final int[] before;

    /** The times at which the printer could take the job, its filament was loaded, and its throttle group let it start. */
    final long[] takenAt;

    final long[] loadedAt;

    /** The end of each printer's current print, whether it succeeds or fails. */
    final long[] currentEnds;

    private final boolean[] taken;
    private final int[] failures;
    private final int[] classHeads;
    private final List<Integer> heads = new ArrayList<>();
    private final int[] fitting;
    private final JobQueues.PrinterQueue[] loads;
    private final int[] jobAt;
    private final int[] lastAt;
    private final boolean[] isIdle;
    private final int[] continuousLeft;
    private final int[] clearings;
    private final Map<Integer, Map<PrintJob.Slot, Double>> gramsLeft = new HashMap<>();
    private final Map<String, PriorityQueue<Long>> starts = new HashMap<>();
    private final PriorityQueue<Long> people = new PriorityQueue<>();
    private final PriorityQueue<Long> events = new PriorityQueue<>();

    SimulationRun(SimulatedFarm model, RandomOutcomes chance) {
        this.model = model;
        this.chance = chance;
        int jobs = model.jobCount();
        int printers = model.printerCount();
        this.begins = arrayOfNone(jobs);
        this.ends = arrayOfNone(jobs);
        this.pieceEnds = arrayOfNone(jobs);
        this.takenAt = arrayOfNone(jobs);
        this.loadedAt = arrayOfNone(jobs);
        this.printerOf = new int[jobs];
        this.before = new int[jobs];
        Arrays.fill(printerOf, NONE);
        Arrays.fill(before, NONE);
        this.currentEnds = arrayOfNone(printers);
        this.taken = new boolean[jobs];
        this.failures = new int[jobs];
        this.classHeads = new int[model.queues().classCount()];
        this.fitting = model.countLoadedPrinters();
        this.loads = model.loads();
        this.jobAt = new int[printers];
        Arrays.fill(jobAt, NONE);
        this.lastAt = jobAt.clone();
        this.isIdle = new boolean[printers];
        this.continuousLeft = new int[printers];
        this.clearings = new int[printers];
    }

    private static long[] arrayOfNone(int length) {
        long[] times = new long[length];
        Arrays.fill(times, NONE);
        return times;
    }

    SimulationRun run() {
        for (int i = 0; i < Math.min(model.state().work().settings().people(), model.printerCount()); i++) {
            people.add(0L);
        }
        for (int printer = 0; printer < model.printerCount(); printer++) {
            beginPrint(printer);
        }
        while (!events.isEmpty()) {
            long event = events.poll();
            int printer = (int) (event & PRINTERS);
            long second = event >> (PRINTER_BITS + 1);
            if ((event >> PRINTER_BITS & 1) == 0) {
                endPrint(printer, second);
            } else {
                takeNext(printer, second);
            }
        }
        return this;
    }

    private void beginPrint(int printer) {
        FarmState.PlannedPrinter planned = model.printer(printer);
        Printer record = planned.candidate().printer();
        Integer left = record.continuousRemainingJobs();
        continuousLeft[printer] = !record.continuousPrint() ? 0 : left == null ? Integer.MAX_VALUE : left;
        FarmState.CurrentJob current = planned.current();
        if (current != null) {
            double rest = RemainingTimeEstimator.seconds(
                    current,
                    estimateError(printer, current.profile()),
                    model.remainingTimeAccuracy(printer).shifted(chance.farmMeanDeviations()),
                    chance.printDeviations(-1 - printer));
            boolean isPreparing = current.elapsedSeconds() <= 0 && current.estimatedSeconds() > 0;
            double seconds = isPreparing ? rest + model.extraSeconds(printer) : rest;
            currentEnds[printer] = Math.round(seconds * Math.min(1, currentFailsAfter(printer, current, rest)));
            if (model.isServing(printer) || jobAt[printer] != NONE) {
                scheduleEvent(currentEnds[printer], printer, false);
            }
        } else if (planned.isBedClear()) {
            scheduleEvent(0, printer, true);
        } else {
            scheduleEvent(finishByPerson(0, clearingSeconds(printer)), printer, true);
        }
    }

    private EstimateError estimateError(int printer, @Nullable String profile) {
        return model.estimateError(printer, profile)
                .shifted(chance.farmMeanDeviations(), chance.printerMeanDeviations(printer));
    }

    /**
     * Returns after which share of the remaining time the printer's current print fails, if its job will be printed again; above 1 if it
     * does not fail.
     */
    private double currentFailsAfter(int printer, FarmState.CurrentJob current, double rest) {
        int job = model.currentJob(printer);
        if (job == NONE) {
            return 2;
        }
        taken[job] = true;
        double elapsed = Math.max(0, current.elapsedSeconds());
        double done = elapsed / Math.max(1, elapsed + rest);
        double share = chance.failureShare(job, failures[job]);
        if (share <= done || share > 1) {
            return 2;
        }
        failures[job]++;
        jobAt[printer] = job;
        return (share - done) / (1 - done);
    }

    private void scheduleEvent(long second, int printer, boolean isReady) {
        events.add((second << (PRINTER_BITS + 1)) | (isReady ? 1L << PRINTER_BITS : 0) | printer);
    }

    /** Returns when a person called at this second has finished a task of this duration. */
    private long finishByPerson(long second, long seconds) {
        long free = people.poll();
        long done = model.calendar().nextAttendedSecond(Math.max(second, free)) + seconds;
        people.add(done);
        return done;
    }

    private long clearingSeconds(int printer) {
        return model.state().work().clearing().seconds(chance.clearingDeviations(printer, clearings[printer]++));
    }

    private long filamentSeconds() {
        return model.state().work().settings().minutesPerFilamentChange() * 60L;
    }

    /** Ends the printer's print: a failed job returns to its position in the queue, and the bed must be cleared. */
    private void endPrint(int printer, long second) {
        int job = jobAt[printer];
        jobAt[printer] = NONE;
        if (job != NONE && pieceEnds[job] == NONE && isPrintedAgain(job)) {
            taken[job] = false;
            for (int queue = 0; queue < heads.size(); queue++) {
                heads.set(
                        queue,
                        positionAfterReturn(
                                heads.get(queue), model.queues().queue(queue).jobs(), job));
            }
            int requirementClass = model.queues().classOf(job);
            classHeads[requirementClass] = positionAfterReturn(
                    classHeads[requirementClass], model.queues().jobsOf(requirementClass), job);
            wakeIdle(second);
        }
        if (!model.isServing(printer)) {
            return;
        }
        if (continuousLeft[printer] > 0) {
            continuousLeft[printer]--;
            scheduleEvent(second + model.macroSeconds(printer), printer, true);
        } else {
            scheduleEvent(finishByPerson(second, clearingSeconds(printer)), printer, true);
        }
    }

    private boolean isPrintedAgain(int job) {
        FarmState.QueuedJob queued = model.job(job);
        return failures[job] <= queued.retries() + (queued.isReplaced() ? MAX_REPLACEMENTS : 0);
    }

    private static int positionAfterReturn(int head, int[] jobs, int job) {
        int at = Arrays.binarySearch(jobs, job);
        return at < 0 ? head : Math.min(head, at);
    }

    /** Returns when the printer's current job ends; {@link SimulatedFarm#NONE} if it fails for good. */
    long currentJobEnd(int printer) {
        return currentFails(printer) ? ends[model.currentJob(printer)] : currentEnds[printer];
    }

    /** Returns when the piece of the printer's current job is finished, by the job or by one that replaces it. */
    long currentPieceEnd(int printer) {
        return currentFails(printer) ? pieceEnds[model.currentJob(printer)] : currentEnds[printer];
    }

    private boolean currentFails(int printer) {
        int job = model.currentJob(printer);
        return job != NONE && failures[job] > 0;
    }

    private void wakeIdle(long second) {
        for (int printer = 0; printer < isIdle.length; printer++) {
            if (isIdle[printer]) {
                isIdle[printer] = false;
                scheduleEvent(second, printer, true);
            }
        }
    }

    private void takeNext(int printer, long second) {
        int job = nextQueuedJob(loads[printer].queue());
        if (job != NONE) {
            start(job, printer, second, second);
            return;
        }
        job = findJobToReloadFor(printer);
        if (job == NONE) {
            isIdle[printer] = true;
            return;
        }
        JobQueues.PrinterQueue loaded = model.queues()
                .loadedFor(loads[printer].candidate(), model.queues().classOf(job));
        loadFor(printer, loaded, second);
        start(job, printer, second, finishByPerson(second, filamentSeconds()));
    }

    private int nextQueuedJob(int queue) {
        while (heads.size() <= queue) {
            heads.add(0);
        }
        int[] jobs = model.queues().queue(queue).jobs();
        int head = nextWaiting(heads.get(queue), jobs);
        heads.set(queue, head);
        return head < jobs.length ? jobs[head] : NONE;
    }

    /** Returns the index of the first job from there on that is still waiting. */
    private int nextWaiting(int from, int[] jobs) {
        int place = from;
        while (place < jobs.length && taken[jobs[place]]) {
            place++;
        }
        return place;
    }

    /** Returns the first job whose filament no printer holds and this printer could be loaded with. */
    private int findJobToReloadFor(int printer) {
        int first = NONE;
        for (int requirementClass = 0; requirementClass < fitting.length; requirementClass++) {
            if (fitting[requirementClass] == 0) {
                int job = firstJobOfClass(requirementClass);
                if (job != NONE
                        && (first == NONE || job < first)
                        && model.queues().isLoadable(loads[printer].candidate(), requirementClass)) {
                    first = job;
                }
            }
        }
        return first;
    }

    private int firstJobOfClass(int requirementClass) {
        int[] jobs = model.queues().jobsOf(requirementClass);
        classHeads[requirementClass] = nextWaiting(classHeads[requirementClass], jobs);
        return classHeads[requirementClass] < jobs.length ? jobs[classHeads[requirementClass]] : NONE;
    }

    private void loadFor(int printer, JobQueues.PrinterQueue loaded, long second) {
        BitSet was = model.queues().queue(loads[printer].queue()).classes();
        BitSet is = model.queues().queue(loaded.queue()).classes();
        boolean isLacking = false;
        for (int requirementClass = 0; requirementClass < fitting.length; requirementClass++) {
            if (was.get(requirementClass) != is.get(requirementClass)) {
                fitting[requirementClass] += is.get(requirementClass) ? 1 : -1;
                isLacking |= fitting[requirementClass] == 0;
            }
        }
        loads[printer] = loaded;
        gramsLeft.put(printer, new HashMap<>());
        if (isLacking) {
            wakeIdle(second);
        }
    }

    private void start(int job, int printer, long second, long loaded) {
        taken[job] = true;
        before[job] = lastAt[printer];
        printerOf[job] = printer;
        takenAt[job] = second;
        loadedAt[job] = afterSpoolChange(job, printer, loaded);
        long begin = afterThrottle(printer, loadedAt[job]);
        begins[job] = begin;
        double seconds = model.job(job).seconds()
                        * estimateError(printer, model.job(job).profile()).factor(chance.printDeviations(job))
                + model.extraSeconds(printer);
        double share = chance.failureShare(job, failures[job]);
        if (share <= 1) {
            failures[job]++;
        }
        long end = begin + Math.max(1, Math.round(seconds * Math.min(1, share)));
        if (share > 1) {
            pieceEnds[job] = end;
            ends[job] = failures[job] <= model.job(job).retries() ? end : NONE;
        }
        jobAt[printer] = job;
        lastAt[printer] = job;
        scheduleEvent(end, printer, false);
    }

    /** Changes a spool with too little filament first, unless the printer switches spools automatically. Returns when this is done. */
    private long afterSpoolChange(int job, int printer, long second) {
        LoadedSpools spools = model.printer(printer).candidate().spools();
        if (spools.refills() || spools.bySlot().isEmpty()) {
            return second;
        }
        Map<PrintJob.Slot, Double> left = gramsLeft.computeIfAbsent(printer, _ -> spools.freeGrams());
        long ready = second;
        for (Map.Entry<PrintJob.Slot, Double> needed : model.queues()
                .neededGrams(loads[printer].candidate(), model.queues().classOf(job))
                .entrySet()) {
            Double grams = left.get(needed.getKey());
            if (grams != null) {
                if (grams < needed.getValue()) {
                    ready = finishByPerson(ready, filamentSeconds());
                    grams = SPOOL_GRAMS;
                }
                left.put(needed.getKey(), Math.max(0, grams - needed.getValue()));
            }
        }
        return ready;
    }

    private long afterThrottle(int printer, long second) {
        String groupId = model.printer(printer).candidate().printer().throttleGroupId();
        FarmState.StartLimit limit =
                groupId == null ? null : model.state().groups().get(groupId);
        if (groupId == null || limit == null) {
            return second;
        }
        PriorityQueue<Long> held = starts.computeIfAbsent(groupId, _ -> new PriorityQueue<>());
        long begin = second;
        while (!held.isEmpty() && (held.peek() <= begin || held.size() >= limit.starts())) {
            begin = Math.max(begin, held.poll());
        }
        held.add(begin + limit.seconds());
        return begin;
    }
}
