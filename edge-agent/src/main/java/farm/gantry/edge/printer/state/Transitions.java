package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.StartedState.Accepted;
import farm.gantry.edge.printer.state.StartedState.Cancelling;
import farm.gantry.edge.printer.state.StartedState.CancellingStart;
import farm.gantry.edge.printer.state.StartedState.SeenPrint;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition.Report;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.edge.printer.state.UnconfirmedState.UnseenPrint;
import farm.gantry.wire.LinkRequest.Kind;
import java.time.Duration;
import java.util.Set;

/**
 * The state machine of one printer. Its invariant: start is sent only on the transition into {@link Starting}, and no
 * transition leads there twice with the same job and attempt.
 */
public final class Transitions {
    private final PrintSearch search;
    private final PauseRequests pauseRequests;
    private final UnstartedTransitions unstarted;
    private final RunningTransitions running;
    private final UnconfirmedTransitions unconfirmed;
    private final boolean countsStarts;

    /**
     * Creates the state machine for a provider with these abilities. {@code grace} is how long a printer may show a
     * file other than ours before our print is given up, and {@code untilShown} that limit for a print that the printer
     * has not shown yet.
     */
    public Transitions(Duration grace, Duration untilShown, Set<Provider.Ability> abilities) {
        boolean forgetsPrints = abilities.contains(Provider.Ability.FORGETS_PRINTS);
        this.search = new PrintSearch(grace, untilShown, abilities.contains(Provider.Ability.NAMES_NEXT));
        this.pauseRequests = new PauseRequests(abilities.contains(Provider.Ability.PAUSE_WHILE_PREPARING));
        this.unstarted = new UnstartedTransitions(forgetsPrints);
        this.running = new RunningTransitions(pauseRequests);
        this.unconfirmed = new UnconfirmedTransitions(search, pauseRequests, forgetsPrints);
        this.countsStarts = abilities.contains(Provider.Ability.COUNTS_STARTS);
    }

    /** Returns how much of the wait for a print may have passed before the agent was restarted, at most. */
    public Duration maxEarlierWait() {
        return search.maxEarlierWait();
    }

    /** Returns whether the printer counts starts, so that an unchanged print counter proves that no print has begun. */
    public boolean countsStarts() {
        return countsStarts;
    }

    /** Returns whether the printer's print has reached the point at which it can be paused. */
    public boolean isPausable(PrinterStatus reading) {
        return pauseRequests.isPausable(reading);
    }

    public Transition<?> next(JobState state, PrinterEvent event) {
        Transition<?> transition = decide(state, event);
        return transition.next() instanceof StartedState print && print.isShown() && !isShown(state)
                ? transition.reach(print.job(), JobStep.shown)
                : transition;
    }

    private static boolean isShown(JobState state) {
        return state instanceof StartedState print && print.isShown();
    }

    private Transition<?> decide(JobState state, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.PrintRequested(Job job, var _)
            when !(state instanceof NoJob) ->
                JobEndTransitions.endJob(
                        state, job, Kind.jobRefused, "another job of the farm has not ended on this printer");
            case PrinterEvent.CancelRequested cancel
            when !isAbout(cancel, state) ->
                Transition.to(state)
                        .report(new Report(
                                Kind.jobCancelled, cancel.jobId(), cancel.attempt(), "the job is not on this printer"));
            case PrinterEvent.JobEvent other when !isAbout(other, state) -> Transition.to(state);
            default -> nextByState(state, event);
        };
    }

    private static boolean isAbout(PrinterEvent.JobEvent event, JobState state) {
        return switch (state) {
            case NoJob _ -> false;
            case Preparing preparing -> event.isAbout(preparing.job());
            case Prepared prepared -> event.isAbout(prepared.job());
            case StartedState print -> event.isAbout(print.job());
        };
    }

    private Transition<?> nextByState(JobState state, PrinterEvent event) {
        return switch (state) {
            case NoJob noJob -> unstarted.next(noJob, event);
            case Preparing preparing -> unstarted.next(preparing, event);
            case Prepared prepared -> unstarted.next(prepared, event);
            case Starting starting -> StartTransitions.next(starting, event);
            case CancellingStart starting -> StartTransitions.next(starting, event);
            case Accepted accepted -> running.next(accepted, event);
            case SeenPrint print -> running.next(print, event);
            case Cancelling cancelling -> running.next(cancelling, event);
            case UnseenPrint print -> unconfirmed.next(print, event);
            case PrintLost print -> unconfirmed.next(print, event);
            case CancellingUnconfirmed cancelling -> unconfirmed.next(cancelling, event);
        };
    }
}
