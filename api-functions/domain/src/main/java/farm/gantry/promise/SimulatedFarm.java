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
 * A farm's state, prepared for many runs: the printers that serve it, or only finish the job that they have, longest idle first,
 * and which jobs each may take.
 */
final class SimulatedFarm {
    private final FarmState state;
    private final List<FarmState.PlannedPrinter> printers;
    private final JobQueues queues;
    private final JobQueues.PrinterQueue[] loads;
    private final int[] countLoadedPrinters;
    private final WorkCalendar calendar;

    /** By printer: profile → deviation, as far as it was asked for. */
    private final List<Map<String, EstimateError>> deviations;

    /** Each printer's current job as it is in the queue, {@link SimulationRun#NONE} where it is not. */
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
                .mapToInt(current -> current == null || current.jobId() == null
                        ? SimulationRun.NONE
                        : places.getOrDefault(current.jobId(), SimulationRun.NONE))
                .toArray();
    }

    /** Returns the printer's current job as it is in the queue, {@link SimulationRun#NONE} where it is not. */
    int currentJob(int printer) {
        return currentJobs[printer];
    }

    /** Returns whether the printer takes jobs, once it is done with what it has. */
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

    /** Returns how far estimates of the printer's prints with the profile are off. */
    EstimateError estimateError(int printer, @Nullable String profile) {
        return deviations.get(printer).computeIfAbsent(Objects.requireNonNullElse(profile, ""), _ -> {
            Printer record = printer(printer).candidate().printer();
            return state.deviations()
                    .of(new EstimateErrors.Source(provider(record), record.modelName(), record.id(), profile));
        });
    }

    /** Returns how good the remaining times are that the printer reports. */
    RemainingTimeAccuracy remainingTimeAccuracy(int printer) {
        return state.deviations()
                .remainingTimeAccuracy(provider(printer(printer).candidate().printer()));
    }

    private static @Nullable String provider(Printer printer) {
        return printer.provider() == null ? null : printer.provider().name();
    }

    @Nullable
    String modelName(int printer) {
        return printer(printer).candidate().printer().modelName();
    }

    /** Returns the current load of each printer. */
    JobQueues.PrinterQueue[] loads() {
        return loads.clone();
    }

    /** Returns for each requirement class the number of printers that are loaded for it now. */
    int[] countLoadedPrinters() {
        return countLoadedPrinters.clone();
    }
}
