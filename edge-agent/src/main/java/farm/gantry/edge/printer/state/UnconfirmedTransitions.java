package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.Idle;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.NextState.AfterCancellingUnconfirmed;
import farm.gantry.edge.printer.state.NextState.AfterPrintLost;
import farm.gantry.edge.printer.state.NextState.AfterUnseenPrint;
import farm.gantry.edge.printer.state.StartedState.ActivePrint;
import farm.gantry.edge.printer.state.StartedState.Cancelling;
import farm.gantry.edge.printer.state.StartedState.SeenPrint;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.edge.printer.state.UnconfirmedState.UnconfirmedPrint;
import farm.gantry.edge.printer.state.UnconfirmedState.UnseenPrint;
import farm.gantry.wire.LinkRequest.Kind;

/** The transitions of a printer that does not show the print that the farm has started. */
final class UnconfirmedTransitions {
    private final PrintSearch search;
    private final PauseRequests pauseRequests;
    private final boolean forgetsPrints;

    /**
     * Creates the transitions; {@code forgetsPrints} is whether the provider has {@link
     * Provider.Ability#FORGETS_PRINTS}.
     */
    UnconfirmedTransitions(PrintSearch search, PauseRequests pauseRequests, boolean forgetsPrints) {
        this.search = search;
        this.pauseRequests = pauseRequests;
        this.forgetsPrints = forgetsPrints;
    }

    Transition<? extends AfterUnseenPrint> next(UnseenPrint print, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(print, seen);
            case PrinterEvent.HistoryFound(var _, var end) -> endAsRecorded(print, end);
            case PrinterEvent.CancelRequested _ -> Transition.to(new CancellingUnconfirmed(print));
            case PrinterEvent.PauseRequested _ -> Transition.to(print.withPendingRequest(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(print.withPendingRequest(PendingRequest.RESUME));
            default -> Transition.to(print);
        };
    }

    Transition<? extends AfterPrintLost> next(PrintLost print, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(print, seen);
            case PrinterEvent.HistoryFound(var _, var end) -> endAsRecorded(print, end);
            case PrinterEvent.CancelRequested _ -> Transition.to(new CancellingUnconfirmed(print));
            case PrinterEvent.PauseRequested _ -> Transition.to(print.withPendingRequest(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(print.withPendingRequest(PendingRequest.RESUME));
            default -> Transition.to(print);
        };
    }

    Transition<? extends AfterCancellingUnconfirmed> next(CancellingUnconfirmed cancelling, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(cancelling, seen);
            case PrinterEvent.HistoryFound(var _, var end) -> endAsRecorded(cancelling, end);
            default -> Transition.to(cancelling);
        };
    }

    private Transition<? extends AfterUnseenPrint> onStatus(UnseenPrint print, PrinterEvent.StatusRead seen) {
        Job job = print.job();
        PrinterStatus reading = seen.status();
        return switch (search.find(print, seen)) {
            case PrintSearch.Waiting(var next, var queriesHistory) -> keepWaiting(next, queriesHistory);
            case PrintSearch.Visible() -> {
                PauseRequests.Decision decision = pauseRequests.decide(print.pendingRequest(), job, reading);
                ActivePrint next = ActivePrint.of(job, reading, decision.pending());
                Transition<ActivePrint> transition = print.isStartReported()
                        ? TransitionEffects.skipObjects(Transition.to(next), job)
                        : TransitionEffects.reportBegun(next);
                yield decision.addTo(TransitionEffects.reportPause(transition, print.pauseReport(), next, reading));
            }
            case PrintSearch.Ended(var ending) -> JobEndTransitions.endAsShown(print, reading, ending);
            case PrintSearch.NeverBegan() ->
                JobEndTransitions.endJob(
                        Idle.atRest(reading), job, Kind.jobNotBegun, "the printer lost the start and began no print");
            case PrintSearch.GivenUp(var reason) -> JobEndTransitions.giveUp(print, reading, reason);
        };
    }

    private Transition<? extends AfterPrintLost> onStatus(PrintLost print, PrinterEvent.StatusRead seen) {
        Job job = print.job();
        PrinterStatus reading = seen.status();
        return switch (search.find(print, seen)) {
            case PrintSearch.Waiting(var next, var queriesHistory) -> keepWaiting(next, queriesHistory);
            case PrintSearch.Visible() -> {
                PauseRequests.Decision decision = pauseRequests.decide(print.pendingRequest(), job, reading);
                SeenPrint next = SeenPrint.of(job, reading, decision.pending());
                Transition<SeenPrint> transition = TransitionEffects.skipObjects(Transition.to(next), job);
                yield decision.addTo(TransitionEffects.reportPause(transition, print.pauseReport(), next, reading));
            }
            case PrintSearch.Ended(var ending) -> JobEndTransitions.endAsShown(print, reading, ending);
            case PrintSearch.GivenUp(var reason) -> JobEndTransitions.giveUp(print, reading, reason);
        };
    }

    private Transition<? extends AfterCancellingUnconfirmed> onStatus(
            CancellingUnconfirmed cancelling, PrinterEvent.StatusRead seen) {
        PrinterStatus reading = seen.status();
        return switch (search.find(cancelling.print(), seen)) {
            case PrintSearch.Waiting(var next, var queriesHistory) ->
                keepWaiting(new CancellingUnconfirmed(next), queriesHistory);
            case PrintSearch.Visible() -> cancel(cancelling.print(), reading);
            case PrintSearch.Ended(var ending) -> JobEndTransitions.endAsShown(cancelling, reading, ending);
            case PrintSearch.NeverBegan() -> JobEndTransitions.giveUp(cancelling, reading, PrintSearch.UNKNOWN);
            case PrintSearch.GivenUp(var reason) -> JobEndTransitions.giveUp(cancelling, reading, reason);
        };
    }

    private static Transition<Cancelling> cancel(UnconfirmedPrint print, PrinterStatus reading) {
        Job job = print.job();
        ActivePrint next = switch (print) {
            case UnseenPrint _ -> ActivePrint.of(job, reading, PendingRequest.NONE);
            case PrintLost _ -> SeenPrint.of(job, reading, PendingRequest.NONE);
        };
        Transition<Cancelling> transition = print.isStartReported()
                ? Transition.to(new Cancelling(next)).then(new Action.Cancel(job))
                : TransitionEffects.reportBegunAndCancel(next);
        return TransitionEffects.reportPause(transition, print.pauseReport(), next, reading);
    }

    private static <U extends UnconfirmedState> Transition<U> keepWaiting(U next, boolean queriesHistory) {
        return queriesHistory ? TransitionEffects.queryHistory(next) : Transition.to(next);
    }

    /**
     * Ends the print with the ending in the printer's history. A printer that forgets its prints shows no file
     * afterwards.
     */
    private Transition<Idle> endAsRecorded(UnconfirmedState print, PrinterConnection.RecordedEnding end) {
        return JobEndTransitions.endAsRecorded(
                print, end, forgetsPrints ? "" : print.job().fileName());
    }
}
