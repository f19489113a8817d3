package farm.gantry.edge.printer;

import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.StartedState;
import farm.gantry.edge.printer.state.StartedState.CancellingStart;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transitions;
import farm.gantry.edge.printer.state.UnconfirmedState.BeginUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.edge.printer.state.UnconfirmedState.UnconfirmedPrint;
import java.util.Optional;

/** Restores a printer's state from the journal, and creates the entries that record a pending pause. */
record JournaledState(Journal journal, String deviceId) {

    /**
     * Returns the state in which the agent's previous run left the printer, including the job whose start was sent, if
     * any. {@code countsStarts} is {@link Transitions#countsStarts}.
     */
    JobState restoreState(boolean countsStarts) {
        return journal.jobsOn(deviceId).stream()
                .filter(JournaledState::isStartSent)
                .findFirst()
                .map(live -> restoreStartedState(live, countsStarts))
                .orElseGet(this::stateWithoutJob);
    }

    static boolean isStartSent(ActiveJob live) {
        return live.step().compareTo(JobStep.start_sent) >= 0;
    }

    /**
     * Returns the state of a job whose start was sent. Keeps the old print counter only if it counts starts: a counter
     * of finished prints may be unchanged although a print began and was interrupted while the agent was down.
     */
    private JobState restoreStartedState(ActiveJob live, boolean countsStarts) {
        Job job = live.job();
        if (live.step() == JobStep.start_sent) {
            NoJob before = countsStarts ? stateWithoutJob() : NoJob.UNSEEN;
            return live.cancelling() ? new CancellingStart(job, before) : new Starting(job, before);
        }
        PendingRequest request = live.pausing() ? PendingRequest.PAUSE : PendingRequest.NONE;
        UnconfirmedPrint print = live.step() == JobStep.shown
                ? new PrintLost(job, PauseReport.UNKNOWN, request, null)
                : new BeginUnconfirmed(job, PauseReport.UNKNOWN, request, null);
        return live.cancelling() ? new CancellingUnconfirmed(print) : print;
    }

    /** Returns the state for what the printer last showed while it had no job of the farm. */
    NoJob stateWithoutJob() {
        return journal.lastObservation(deviceId)
                .map(seen -> NoJob.of(seen.fileName(), seen.busy(), seen.printCounter()))
                .orElse(NoJob.UNSEEN);
    }

    boolean isPausePending(String jobId, int attempt) {
        return journal.job(jobId, attempt).filter(ActiveJob::pausing).isPresent();
    }

    /** Returns whether the print was paused. A pause that is journaled and was not sent yet does not count. */
    static boolean wasPaused(JobState state) {
        return state instanceof Starting
                || state instanceof CancellingStart
                || state.pendingRequest() == PendingRequest.PAUSE;
    }

    /** Returns the journal entry that records whether a pause is pending; empty if the journal already has it. */
    Optional<JournalEntry> changedPauseEntry(JobState next) {
        if (!(next instanceof StartedState print)) {
            return Optional.empty();
        }
        Job job = print.job();
        boolean waits = next.pendingRequest() == PendingRequest.PAUSE;
        return journal.job(job.jobId(), job.attempt())
                .filter(live -> live.pausing() != waits)
                .map(_ -> new JournalEntry.Pausing(job.jobId(), job.attempt(), waits));
    }
}
