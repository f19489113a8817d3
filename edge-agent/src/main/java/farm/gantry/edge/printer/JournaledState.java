package farm.gantry.edge.printer;

import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.JobState.Begin;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.JobState.Starting;
import farm.gantry.edge.printer.JobState.Unconfirmed;
import farm.gantry.edge.printer.Transition.Action;
import java.util.Optional;

/** A printer's state according to the journal. */
record JournaledState(Journal journal, String deviceId) {

    /**
     * Returns the state in which the agent's previous run left the printer: with the job whose start was sent, if there
     * is one. {@code countsStarts} is {@link Transitions#countsStarts}.
     */
    JobState restored(boolean countsStarts) {
        return journal.jobsOn(deviceId).stream()
                .filter(JournaledState::isStartSent)
                .findFirst()
                .map(live -> begun(live, countsStarts))
                .orElseGet(this::withoutJob);
    }

    static boolean isStartSent(ActiveJob live) {
        return live.step().compareTo(JobStep.start_sent) >= 0;
    }

    /**
     * Only a counter of starts proves that no print has begun: other counters may be equal although one began and was
     * interrupted while the agent was down.
     */
    private JobState begun(ActiveJob live, boolean countsStarts) {
        return live.step() == JobStep.start_sent
                ? new Starting(live.job(), countsStarts ? withoutJob() : NoJob.UNSEEN, live.cancelling())
                : Unconfirmed.restored(
                                live.job(),
                                live.step() == JobStep.shown ? Begin.SHOWN : Begin.ACCEPTED,
                                live.cancelling())
                        .requested(live.pausing() ? new Action.Pause(live.job()) : null);
    }

    /** Returns what the printer showed last without a job of the farm. */
    NoJob withoutJob() {
        return journal.seenOn(deviceId)
                .map(seen -> new NoJob(seen.fileName(), seen.busy(), seen.printCounter()))
                .orElse(NoJob.UNSEEN);
    }

    boolean isPausing(String jobId, int attempt) {
        return journal.job(jobId, attempt).filter(ActiveJob::pausing).isPresent();
    }

    /** Returns whether the print was paused. A pause that only the journal has is still on its way to the printer. */
    static boolean hadPause(JobState state) {
        return state instanceof Starting || state.requested() instanceof Action.Pause;
    }

    /** Returns the entry that records whether a pause is pending; empty if the journal has it already. */
    Optional<JournalEntry> pausing(JobState next) {
        Job job = PrinterView.startedJob(next);
        boolean waits = next.requested() instanceof Action.Pause;
        return job == null
                ? Optional.empty()
                : journal.job(job.jobId(), job.attempt())
                        .filter(live -> live.pausing() != waits)
                        .map(_ -> new JournalEntry.Pausing(job.jobId(), job.attempt(), waits));
    }
}
