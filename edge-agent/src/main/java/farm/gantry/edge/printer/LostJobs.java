package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.UnconfirmedState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that were given up because the printer never showed their print. A printer that hung may begin such a print
 * when it is switched on again, long after the job was cancelled or printed on another printer.
 */
final class LostJobs {
    private static final int MAX_COUNT = 20;

    private final PrinterConnection connection;
    private final AtomicReference<@Nullable Job> started = new AtomicReference<>();
    private final AtomicReference<@Nullable Job> stopping = new AtomicReference<>();
    private final Map<String, Job> byFile = new LinkedHashMap<>();

    LostJobs(PrinterConnection connection) {
        this.connection = connection;
    }

    /** Records the job whose start is sent in this run of the agent. Only this job may be added later. */
    void recordStart(Job job) {
        started.set(job);
    }

    void addIfNeverShown(UnconfirmedState unconfirmed) {
        Job job = unconfirmed.job();
        if (!unconfirmed.isShown() && job.equals(started.get())) {
            add(job);
        }
    }

    private void add(Job job) {
        byFile.put(job.fileName(), job);
        if (byFile.size() > MAX_COUNT) {
            byFile.remove(byFile.keySet().iterator().next());
        }
    }

    /**
     * Removes and returns the job whose print began late and must be stopped; null unless such a print has certainly
     * begun.
     */
    @Nullable
    Job takeLateStart(PrinterStatus reading) {
        String number = reading.printCounter();
        if (!reading.isPrintInProgress()
                || number == null
                || !number.equals(connection.farmPrintCounter(reading.fileName()))) {
            return null;
        }
        Job job = byFile.remove(reading.fileName());
        if (job != null) {
            stopping.set(job);
        }
        return job;
    }

    /**
     * Returns whether the late print of this job still runs. If the printer is unreachable, returns false and adds the
     * job again, so that its print is detected later.
     */
    boolean isRunning(Job job, @Nullable PrinterStatus current) {
        boolean isToStop = job.equals(stopping.get());
        if (isToStop && current == null) {
            add(job);
        }
        return isToStop && current != null && current.isShowing(job) && current.isPrintInProgress();
    }
}
