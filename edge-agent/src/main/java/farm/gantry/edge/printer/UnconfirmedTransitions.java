package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.JobState.Idle;
import farm.gantry.edge.printer.JobState.PendingRequest;
import farm.gantry.edge.printer.NextState.AfterCancellingUnconfirmed;
import farm.gantry.edge.printer.NextState.AfterPrintLost;
import farm.gantry.edge.printer.NextState.AfterUnseenPrint;
import farm.gantry.edge.printer.StartedState.ActivePrint;
import farm.gantry.edge.printer.StartedState.Cancelling;
import farm.gantry.edge.printer.StartedState.SeenPrint;
import farm.gantry.edge.printer.Transition.Action;
import farm.gantry.edge.printer.Unconfirmed.CancellingUnconfirmed;
import farm.gantry.edge.printer.Unconfirmed.PrintLost;
import farm.gantry.edge.printer.Unconfirmed.UnconfirmedPrint;
import farm.gantry.edge.printer.Unconfirmed.UnseenPrint;
import farm.gantry.wire.LinkRequest.Kind;

/** The transitions of a printer that does not show the print that the farm has started. */
final class UnconfirmedTransitions {
    private final PrintSearch search;
    private final PauseRequests pauseRequests;
    private final boolean forgetsPrints;

    /** {@code forgetsPrints}: the provider has {@link Provider.Ability#FORGETS_PRINTS}. */
    UnconfirmedTransitions(PrintSearch search, PauseRequests pauseRequests, boolean forgetsPrints) {
        this.search = search;
        this.pauseRequests = pauseRequests;
        this.forgetsPrints = forgetsPrints;
    }

    Transition<? extends AfterUnseenPrint> next(UnseenPrint print, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(print, seen);
            case PrinterEvent.HistoryFound(var _, var end) -> remembered(print, end);
            case PrinterEvent.CancelRequested _ -> Transition.to(new CancellingUnconfirmed(print));
            case PrinterEvent.PauseRequested _ -> Transition.to(print.request(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(print.request(PendingRequest.RESUME));
            default -> Transition.to(print);
        };
    }

    Transition<? extends AfterPrintLost> next(PrintLost print, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(print, seen);
            case PrinterEvent.HistoryFound(var _, var end) -> remembered(print, end);
            case PrinterEvent.CancelRequested _ -> Transition.to(new CancellingUnconfirmed(print));
            case PrinterEvent.PauseRequested _ -> Transition.to(print.request(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(print.request(PendingRequest.RESUME));
            default -> Transition.to(print);
        };
    }

    Transition<? extends AfterCancellingUnconfirmed> next(CancellingUnconfirmed cancelling, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(cancelling, seen);
            case PrinterEvent.HistoryFound(var _, var end) -> remembered(cancelling, end);
            default -> Transition.to(cancelling);
        };
    }

    private Transition<? extends AfterUnseenPrint> onStatus(UnseenPrint print, PrinterEvent.StatusRead seen) {
        Job job = print.job();
        PrinterStatus reading = seen.reading();
        return switch (search.find(print, seen)) {
            case PrintSearch.Waiting(var next, var queriesHistory) -> waiting(next, queriesHistory);
            case PrintSearch.Visible() -> {
                PauseRequests.Decision decision = pauseRequests.decide(print.request(), job, reading);
                ActivePrint next = ActivePrint.of(job, reading, decision.pending());
                Transition<ActivePrint> transition = print.isStartReported()
                        ? PrintEffects.skipObjects(Transition.to(next), job)
                        : PrintEffects.begin(next);
                yield decision.addTo(PrintEffects.reportPause(transition, print.pauseReport(), next, reading));
            }
            case PrintSearch.Ended(var ending) -> JobEnd.shown(print, reading, ending);
            case PrintSearch.NeverBegan() ->
                JobEnd.of(Idle.after(reading), job, Kind.jobNotBegun, "the printer lost the start and began no print");
            case PrintSearch.GivenUp(var reason) -> JobEnd.givenUp(print, reading, reason);
        };
    }

    private Transition<? extends AfterPrintLost> onStatus(PrintLost print, PrinterEvent.StatusRead seen) {
        Job job = print.job();
        PrinterStatus reading = seen.reading();
        return switch (search.find(print, seen)) {
            case PrintSearch.Waiting(var next, var queriesHistory) -> waiting(next, queriesHistory);
            case PrintSearch.Visible() -> {
                PauseRequests.Decision decision = pauseRequests.decide(print.request(), job, reading);
                SeenPrint next = SeenPrint.of(job, reading, decision.pending());
                Transition<SeenPrint> transition = PrintEffects.skipObjects(Transition.to(next), job);
                yield decision.addTo(PrintEffects.reportPause(transition, print.pauseReport(), next, reading));
            }
            case PrintSearch.Ended(var ending) -> JobEnd.shown(print, reading, ending);
            case PrintSearch.GivenUp(var reason) -> JobEnd.givenUp(print, reading, reason);
        };
    }

    private Transition<? extends AfterCancellingUnconfirmed> onStatus(
            CancellingUnconfirmed cancelling, PrinterEvent.StatusRead seen) {
        PrinterStatus reading = seen.reading();
        return switch (search.find(cancelling.print(), seen)) {
            case PrintSearch.Waiting(var next, var queriesHistory) ->
                waiting(new CancellingUnconfirmed(next), queriesHistory);
            case PrintSearch.Visible() -> cancel(cancelling.print(), reading);
            case PrintSearch.Ended(var ending) -> JobEnd.shown(cancelling, reading, ending);
            case PrintSearch.NeverBegan() -> JobEnd.givenUp(cancelling, reading, PrintSearch.UNKNOWN);
            case PrintSearch.GivenUp(var reason) -> JobEnd.givenUp(cancelling, reading, reason);
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
                : PrintEffects.beginCancelled(next);
        return PrintEffects.reportPause(transition, print.pauseReport(), next, reading);
    }

    private static <U extends Unconfirmed> Transition<U> waiting(U next, boolean queriesHistory) {
        return queriesHistory ? PrintEffects.queryHistory(next) : Transition.to(next);
    }

    /** Ends the print as the printer's history says. A printer that forgets its prints shows no file after one. */
    private Transition<Idle> remembered(Unconfirmed print, Connection.Remembered end) {
        return JobEnd.remembered(print, end, forgetsPrints ? "" : print.job().fileName());
    }
}
