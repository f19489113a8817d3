package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were given up because the printer never showed their print. A printer that hung may begin such a print when
 * it is switched on again, long after the job was cancelled or printed elsewhere.
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

    /** Forgets a job whose start is sent in this run of the agent, which watches for its print. */
    void forget(Job job) {
        started.set(job);
    }

    void addGivenUp(UnconfirmedState unconfirmed) {
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
     * Returns the job whose print has begun after all and must be stopped, null if none certainly has. Each job is
     * returned once.
     */
    @Nullable
    Job takeLateStart(PrinterStatus reading) {
        String number = reading.printCounter();
        if (!reading.isPrintInProgress() || number == null || !number.equals(connection.farmPrintCounter(reading.fileName()))) {
            return null;
        }
        Job job = byFile.remove(reading.fileName());
        if (job != null) {
            stopping.set(job);
        }
        return job;
    }

    /**
     * Returns whether a print that must be stopped still runs; while the printer is unreachable, the search starts
     * over.
     */
    boolean isRunning(Job job, @Nullable PrinterStatus current) {
        boolean isToStop = job.equals(stopping.get());
        if (isToStop && current == null) {
            add(job);
        }
        return isToStop && current != null && current.isShowing(job) && current.isPrintInProgress();
    }
}
