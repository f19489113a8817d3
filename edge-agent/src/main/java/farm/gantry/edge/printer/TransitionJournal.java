package farm.gantry.edge.printer;

import farm.gantry.CrashPoint;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.JobState.ForeignPrint;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.StartedState.CancellingStart;
import farm.gantry.edge.printer.state.StartedState.Running;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition;
import farm.gantry.edge.printer.state.UnconfirmedState;
import farm.gantry.edge.time.AwakeClock;
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
    private final LastSeenTracker lastSeen;
    private final ConfirmationWait confirmationWait;
    private final NewEvents newEvents;

    TransitionJournal(
            Journal journal,
            JournaledState journaled,
            LastSeenTracker lastSeen,
            ConfirmationWait confirmationWait,
            NewEvents newEvents) {
        this.journal = journal;
        this.journaled = journaled;
        this.lastSeen = lastSeen;
        this.confirmationWait = confirmationWait;
        this.newEvents = newEvents;
    }

    /** A journaled transition: the next state, and whether there are new events for the API. */
    record JournaledTransition(JobState next, boolean hasEvents) {}

    /**
     * Writes all changes that one status shows atomically, the use of the bed first, so that the API never receives
     * only a part of them. {@code stopped} is the job that an emergency stop may have ended, null without one.
     */
    JournaledTransition write(
            Transition<?> transition,
            PrinterView view,
            List<NewEvent> statusChanges,
            @Nullable Job stopped,
            boolean isAskedToPause) {
        List<JournalEntry> entries = new ArrayList<>();
        Duration now = AwakeClock.CLOCK.now();
        JobState next = confirmationWait.restoreWait(transition.next(), view.status(), now);
        for (Transition.StepReached reached : transition.steps()) {
            Job job = reached.job();
            entries.add(new JournalEntry.JobStepReached(job.jobId(), job.attempt(), reached.step()));
        }
        lastObservation(transition.next()).ifPresent(entries::add);
        if (isAskedToPause || JournaledState.wasPaused(view.jobState())) {
            journaled.changedPauseEntry(transition.next()).ifPresent(entries::add);
        }
        confirmationWait.changedEntry(next, view.status(), now).ifPresent(entries::add);
        List<NewEvent> events = new ArrayList<>(statusChanges);
        for (Transition.Report report : transition.reports()) {
            events.add(
                    report.kind() == Kind.printerChanged ? 0 : events.size(),
                    newEvents.printerEvent(report, view.status(), stopped));
        }
        journal.write(entries, events);
        transition.steps().forEach(reached -> CrashPoint.reached(reached.step().name()));
        return new JournaledTransition(next, !events.isEmpty());
    }

    /** Returns the journal entry that records what the printer shows; empty if nothing has changed. */
    private Optional<JournalEntry> lastObservation(JobState next) {
        NoJob before = beforePrint(next);
        String lastFile = before == null ? null : before.lastFile();
        return before == null || lastFile == null || before.equals(journaled.stateWithoutJob())
                ? Optional.empty()
                : Optional.of(new JournalEntry.LastObservation(
                        journaled.deviceId(),
                        lastFile,
                        before instanceof ForeignPrint,
                        before.printCounter(),
                        lastSeen.timeToJournal()));
    }

    /** Returns the printer's state without a print of the farm, or right before its start; null during a print. */
    private static @Nullable NoJob beforePrint(JobState state) {
        return switch (state) {
            case NoJob noJob -> noJob;
            case Starting starting -> starting.before();
            case CancellingStart starting -> starting.before();
            case Preparing _, Prepared _, Running _, UnconfirmedState _ -> null;
        };
    }
}
