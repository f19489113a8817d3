package farm.gantry.edge.printer;

import farm.gantry.CrashPoint;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.JobState.ForeignPrint;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.JobState.Prepared;
import farm.gantry.edge.printer.JobState.Preparing;
import farm.gantry.edge.printer.StartedState.CancellingStart;
import farm.gantry.edge.printer.StartedState.Running;
import farm.gantry.edge.printer.StartedState.Starting;
import farm.gantry.edge.time.Awake;
import farm.gantry.wire.LinkRequest.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Journals the transitions of one printer. */
final class TransitionJournal {
    private final Journal journal;
    private final JournaledState journaled;
    private final LastSeen lastSeen;
    private final ConfirmationWait confirmationWait;
    private final NewEvents newEvents;

    TransitionJournal(
            Journal journal,
            JournaledState journaled,
            LastSeen lastSeen,
            ConfirmationWait confirmationWait,
            NewEvents newEvents) {
        this.journal = journal;
        this.journaled = journaled;
        this.lastSeen = lastSeen;
        this.confirmationWait = confirmationWait;
        this.newEvents = newEvents;
    }

    /** A journaled transition: the next state, and whether there are new events for the API. */
    record Written(JobState next, boolean hasEvents) {}

    /**
     * Writes everything that one status shows as one journal entry, the use of the bed first, so that the API never
     * receives half of it. {@code stopped} is the job that an emergency stop may have ended.
     */
    Written write(
            Transition<?> transition,
            PrinterView view,
            List<NewEvent> statusChanges,
            @Nullable Job stopped,
            boolean isAskedToPause) {
        List<JournalEntry> entries = new ArrayList<>();
        Duration now = Awake.CLOCK.now();
        JobState next = confirmationWait.continued(transition.next(), view.reading(), now);
        for (Transition.StepReached reached : transition.steps()) {
            Job job = reached.job();
            entries.add(new JournalEntry.JobStepReached(job.jobId(), job.attempt(), reached.step()));
        }
        lastObservation(transition.next()).ifPresent(entries::add);
        if (isAskedToPause || JournaledState.hadPause(view.jobState())) {
            journaled.pausing(transition.next()).ifPresent(entries::add);
        }
        confirmationWait.change(next, view.reading(), now).ifPresent(entries::add);
        List<NewEvent> events = new ArrayList<>(statusChanges);
        for (Transition.Report report : transition.reports()) {
            events.add(
                    report.kind() == Kind.printerChanged ? 0 : events.size(),
                    newEvents.of(report, view.reading(), stopped));
        }
        journal.write(entries, events);
        transition.steps().forEach(reached -> CrashPoint.reached(reached.step().name()));
        return new Written(next, !events.isEmpty());
    }

    /** Returns the entry by which the journal records what the printer shows; empty if nothing changed. */
    private Optional<JournalEntry> lastObservation(JobState next) {
        NoJob before = beforePrint(next);
        String lastFile = before == null ? null : before.lastFile();
        return before == null || lastFile == null || before.equals(journaled.withoutJob())
                ? Optional.empty()
                : Optional.of(new JournalEntry.LastObservation(
                        journaled.deviceId(),
                        lastFile,
                        before instanceof ForeignPrint,
                        before.printCounter(),
                        lastSeen.time()));
    }

    /** Returns the printer's state without a print of the farm, or right before its start; null during a print. */
    private static @Nullable NoJob beforePrint(JobState state) {
        return switch (state) {
            case NoJob noJob -> noJob;
            case Starting starting -> starting.before();
            case CancellingStart starting -> starting.before();
            case Preparing _, Prepared _, Running _, Unconfirmed _ -> null;
        };
    }
}
