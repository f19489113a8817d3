package farm.gantry.promise;

import farm.gantry.schedule.Candidate;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A farm's state, prepared for many runs: the printers that serve it, longest idle first, and which jobs each may take. */
final class FarmModel {
    private final FarmState state;
    private final List<FarmState.PlannedPrinter> printers;
    private final JobQueues queues;
    private final JobQueues.Load[] loads;
    private final int[] fitting;
    private final WorkCalendar calendar;

    FarmModel(FarmState state) {
        this.state = state;
        this.printers = state.printers().stream()
                .filter(printer -> state.matching().isServing(printer.candidate()))
                .sorted(Comparator.comparing(FarmState.PlannedPrinter::candidate, Candidate.LEAST_RECENTLY_USED))
                .toList();
        this.queues = new JobQueues(state.matching(), state.queue());
        this.loads = printers.stream()
                .map(printer -> queues.load(printer.candidate()))
                .toArray(JobQueues.Load[]::new);
        this.fitting = new int[queues.classCount()];
        for (JobQueues.Load load : loads) {
            BitSet classes = queues.queue(load.queue()).classes();
            classes.stream().forEach(asked -> fitting[asked]++);
        }
        this.calendar = WorkCalendar.of(state.hours(), state.zone(), state.now());
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

    Deviation deviation(int printer, @Nullable String profile) {
        return state.deviations().of(printer(printer).candidate().printer().modelName(), profile);
    }

    /** How each printer is loaded now. */
    JobQueues.Load[] loads() {
        return loads.clone();
    }

    /** How many printers hold what the jobs of each class ask for now. */
    int[] fitting() {
        return fitting.clone();
    }
}
