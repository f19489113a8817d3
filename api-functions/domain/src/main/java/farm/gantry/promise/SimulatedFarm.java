package farm.gantry.promise;

import farm.gantry.printer.Printer;
import farm.gantry.schedule.Candidate;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of a farm, prepared for many simulation runs: the printers that are in service or finish their current job, longest idle first,
 * and the jobs that each may take.
 */
final class SimulatedFarm {
    /** The index or time of nothing: no job, no printer, no end. */
    static final int NONE = -1;

    private final FarmState state;
    private final List<FarmState.PlannedPrinter> printers;
    private final JobQueues queues;
    private final JobQueues.PrinterQueue[] loads;
    private final int[] countLoadedPrinters;
    private final WorkCalendar calendar;

    /** Estimate errors by printer and profile, filled on demand. */
    private final List<Map<String, EstimateError>> deviations;

    /** The index of each printer's current job in the queue, {@link #NONE} if it is not in it. */
    private final int[] currentJobs;

    SimulatedFarm(FarmState state) {
        this.state = state;
        this.printers = state.printers().stream()
                .filter(printer -> isServing(printer)
                        || (printer.current() != null && state.matching().isWorking(printer.candidate())))
                .sorted(Comparator.comparing(FarmState.PlannedPrinter::candidate, Candidate.BY_LAST_USE))
                .toList();
        this.queues = new JobQueues(state.matching(), state.queue());
        this.loads = printers.stream()
                .map(printer -> queues.load(printer.candidate()))
                .toArray(JobQueues.PrinterQueue[]::new);
        this.countLoadedPrinters = new int[queues.classCount()];
        for (int printer = 0; printer < loads.length; printer++) {
            if (isServing(printer)) {
                BitSet classes = queues.queue(loads[printer].queue()).classes();
                classes.stream().forEach(asked -> countLoadedPrinters[asked]++);
            }
        }
        this.deviations = printers.stream()
                .<Map<String, EstimateError>>map(_ -> new HashMap<>())
                .toList();
        this.currentJobs = currentJobs();
        this.calendar = state.work().calendar(state.zone(), state.now());
    }

    private int[] currentJobs() {
        Map<String, Integer> places = new HashMap<>();
        for (int job = 0; job < jobCount(); job++) {
            places.put(job(job).id(), job);
        }
        return printers.stream()
                .map(FarmState.PlannedPrinter::current)
                .mapToInt(current ->
                        current == null || current.jobId() == null ? NONE : places.getOrDefault(current.jobId(), NONE))
                .toArray();
    }

    /** Returns the index of the printer's current job in the queue, {@link #NONE} if it is not in it. */
    int currentJob(int printer) {
        return currentJobs[printer];
    }

    /** Returns whether the printer takes jobs once its current one has ended. */
    boolean isServing(int printer) {
        return isServing(printers.get(printer));
    }

    private boolean isServing(FarmState.PlannedPrinter printer) {
        return state.matching().isServing(printer.candidate());
    }

    FarmState state() {
        return state;
    }

    JobQueues queues() {
        return queues;
    }

    WorkCalendar calendar() {
        return calendar;
    }

    int jobCount() {
        return state.queue().size();
    }

    FarmState.QueuedJob job(int index) {
        return state.queue().get(index);
    }

    int printerCount() {
        return printers.size();
    }

    FarmState.PlannedPrinter printer(int index) {
        return printers.get(index);
    }

    /** Returns the estimate error of the printer's prints with the profile. */
    EstimateError estimateError(int printer, @Nullable String profile) {
        return deviations.get(printer).computeIfAbsent(Objects.requireNonNullElse(profile, ""), _ -> {
            Printer record = printer(printer).candidate().printer();
            return state.deviations()
                    .of(new EstimateErrors.Source(provider(record), record.modelName(), record.id(), profile));
        });
    }

    /** Returns the accuracy of the remaining times that the printer reports. */
    RemainingTimeAccuracy remainingTimeAccuracy(int printer) {
        return state.deviations()
                .remainingTimeAccuracy(provider(printer(printer).candidate().printer()));
    }

    private static @Nullable String provider(Printer printer) {
        return printer.provider() == null ? null : printer.provider().name();
    }

    /** Returns the seconds that a print occupies the printer beyond printing and pauses. */
    double extraSeconds(int printer) {
        Printer record = printer(printer).candidate().printer();
        return state.deviations().extraSeconds(new EstimateErrors.Model(provider(record), record.modelName()));
    }

    /** Returns the seconds that the printer's macro takes to clear its bed. */
    long macroSeconds(int printer) {
        return Math.round(state.deviations()
                .macroSeconds(printer(printer).candidate().printer().id()));
    }

    /** Returns the current load of each printer. */
    JobQueues.PrinterQueue[] loads() {
        return loads.clone();
    }

    /** Returns the number of printers that are currently loaded for each requirement class. */
    int[] countLoadedPrinters() {
        return countLoadedPrinters.clone();
    }
}
