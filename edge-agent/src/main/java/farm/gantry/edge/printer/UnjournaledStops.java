package farm.gantry.edge.printer;

import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out stops that the journal holds but could not write, on the print that the printer shows, because a stop
 * does not wait for a disk.
 */
final class UnjournaledStops {
    private final Journal journal;
    private final Transitions transitions;
    private final PrinterTasks tasks;

    /** The job that is being stopped. */
    private volatile @Nullable Job stopping;

    UnjournaledStops(Journal journal, Transitions transitions, PrinterTasks tasks) {
        this.journal = journal;
        this.transitions = transitions;
        this.tasks = tasks;
    }

    void carryOut(@Nullable Job job, @Nullable PrinterStatus shown) {
        if (job != null && shown != null && shown.isShowing(job) && shown.isPrintInProgress()) {
            journal.job(job.jobId(), job.attempt()).ifPresent(live -> carryOut(live, shown));
        }
    }

    private void carryOut(ActiveJob live, PrinterStatus shown) {
        Job job = live.job();
        if (live.cancelling()) {
            if (!job.equals(stopping)) {
                stopping = job;
                tasks.run(new Transition.Action.Cancel(job));
            }
        } else if (live.pausing() && transitions.isPausable(shown)) {
            tasks.run(new Transition.Action.Pause(job));
            journal.applyUnwritten(List.of(new JournalEntry.Pausing(job.jobId(), job.attempt(), false)));
        }
    }

    /** Allows the stop to be sent once more. */
    void failed(Job job) {
        if (job.equals(stopping)) {
            stopping = null;
        }
    }
}
