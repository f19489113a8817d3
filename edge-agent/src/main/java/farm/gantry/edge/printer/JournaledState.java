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

/** How a printer stands by what the journal knows of it. */
record JournaledState(Journal journal, String deviceId) {

    /**
     * The state in which the agent's life before left it: with the job whose start was sent, if there is one. {@code countsStarts}
     * is {@link Transitions#countsStarts}.
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

    /** Other counters may be equal although a print has begun, and was cut off while the agent was away. */
    private JobState begun(ActiveJob live, boolean countsStarts) {
        return live.step() == JobStep.start_sent
                ? new Starting(live.job(), countsStarts ? withoutJob() : NoJob.UNSEEN, live.cancelling())
                : Unconfirmed.restored(
                                live.job(),
                                live.step() == JobStep.shown ? Begin.SHOWN : Begin.ACCEPTED,
                                live.cancelling())
                        .requested(live.pausing() ? new Action.Pause(live.job()) : null);
    }

    /** What the printer showed last when it had no job of the farm. */
    NoJob withoutJob() {
        return journal.seenOn(deviceId)
                .map(seen -> new NoJob(seen.fileName(), seen.busy(), seen.printCounter()))
                .orElse(NoJob.UNSEEN);
    }

    boolean isPausing(String jobId, int attempt) {
        return journal.job(jobId, attempt).filter(ActiveJob::pausing).isPresent();
    }

    /** Else a pause that the journal has is only on its way to the printer. */
    static boolean hadPause(JobState state) {
        return state instanceof Starting || state.requested() instanceof Action.Pause;
    }

    /** Whether a pause waits from now on, where the journal has it otherwise. */
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
