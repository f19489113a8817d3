package farm.gantry.edge.printer;

import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.Transition;
import farm.gantry.edge.printer.state.Transitions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out pauses and cancels that could not be written to the journal yet, because a stop does not wait for a disk.
 */
final class UnjournaledStops {
    private final Journal journal;
    private final Transitions transitions;
    private final PrinterTasks tasks;

    /** The job for which a cancel is being sent; null without one. */
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

    /** Records that the cancel of a job failed, so that it is sent again. */
    void failed(Job job) {
        if (job.equals(stopping)) {
            stopping = null;
        }
    }
}
