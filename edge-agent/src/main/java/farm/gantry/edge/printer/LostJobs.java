package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were given up because the printer never showed the print that it was told to start. One that hung may begin such a
 * print when it is switched on again, long after the job was cancelled, or made elsewhere.
 */
final class LostJobs {
    private static final int MAX_COUNT = 20;

    private final Connection connection;
    private final AtomicReference<@Nullable Job> started = new AtomicReference<>();
    private final AtomicReference<@Nullable Job> stopping = new AtomicReference<>();
    private final Map<String, Job> byFile = new LinkedHashMap<>();

    LostJobs(Connection connection) {
        this.connection = connection;
    }

    /** Its start is sent in this life of the agent, which sees whether the printer shows it. */
    void starts(Job job) {
        started.set(job);
    }

    void gaveUp(JobState.Unconfirmed unconfirmed) {
        Job job = unconfirmed.job();
        if (unconfirmed.begin() != JobState.Begin.SHOWN && job.equals(started.get())) {
            keep(job);
        }
    }

    private void keep(Job job) {
        byFile.put(job.fileName(), job);
        if (byFile.size() > MAX_COUNT) {
            byFile.remove(byFile.keySet().iterator().next());
        }
    }

    /** The job whose print has begun after all and is to be stopped, null where none has for certain; each is told once. */
    @Nullable
    Job begunLate(Reading reading) {
        String number = reading.printCounter();
        if (!reading.isOn() || number == null || !number.equals(connection.startNumber(reading.fileName()))) {
            return null;
        }
        Job job = byFile.remove(reading.fileName());
        if (job != null) {
            stopping.set(job);
        }
        return job;
    }

    /** Whether a print that was to be stopped goes on; at a printer out of sight, it is looked for again. */
    boolean goesOn(Job job, @Nullable Reading shown) {
        boolean isToStop = job.equals(stopping.get());
        if (isToStop && shown == null) {
            keep(job);
        }
        return isToStop && shown != null && shown.isShowing(job) && shown.isOn();
    }
}
