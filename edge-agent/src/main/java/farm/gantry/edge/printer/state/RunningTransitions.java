package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.state.JobState.Absence;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.NextState.AfterAccepted;
import farm.gantry.edge.printer.state.NextState.AfterCancelling;
import farm.gantry.edge.printer.state.NextState.AfterSeenPrint;
import farm.gantry.edge.printer.state.StartedState.Accepted;
import farm.gantry.edge.printer.state.StartedState.ActivePrint;
import farm.gantry.edge.printer.state.StartedState.Cancelling;
import farm.gantry.edge.printer.state.StartedState.SeenPrint;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.edge.printer.state.UnconfirmedState.BeginUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.EndUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.printer.PrinterState.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The transitions of a printer that has accepted the start of the farm's print. */
final class RunningTransitions {
    private final PauseRequests pauseRequests;

    RunningTransitions(PauseRequests pauseRequests) {
        this.pauseRequests = pauseRequests;
    }

    Transition<? extends AfterAccepted> next(Accepted accepted, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(accepted, seen);
            case PrinterEvent.CancelRequested _ -> cancel(accepted);
            case PrinterEvent.PauseRequested _ -> Transition.to(accepted.withPendingRequest(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(accepted.withPendingRequest(PendingRequest.RESUME));
            default -> Transition.to(accepted);
        };
    }

    Transition<? extends AfterSeenPrint> next(SeenPrint print, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(print, seen);
            case PrinterEvent.CancelRequested _ -> cancel(print);
            case PrinterEvent.PauseRequested _ -> Transition.to(print.withPendingRequest(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(print.withPendingRequest(PendingRequest.RESUME));
            default -> Transition.to(print);
        };
    }

    Transition<? extends AfterCancelling> next(Cancelling cancelling, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> onStatus(cancelling, seen);
            case PrinterEvent.CancelRequested _, PrinterEvent.CancelFailed _ -> cancel(cancelling.print());
            default -> Transition.to(cancelling);
        };
    }

    private static Transition<Cancelling> cancel(ActivePrint print) {
        return Transition.to(new Cancelling(print)).then(new Action.Cancel(print.job()));
    }

    private Transition<? extends AfterAccepted> onStatus(Accepted accepted, PrinterEvent.StatusRead seen) {
        Job job = accepted.job();
        PrinterStatus reading = seen.status();
        if (!seen.isShowing(job)) {
            return isRestarting(reading)
                    ? Transition.to(accepted)
                    : TransitionEffects.queryHistory(toUnconfirmed(accepted, Absence.startingAt(seen.receivedAt())));
        }
        if (reading.ending() != null) {
            return queryHistoryAtEnd(new EndUnconfirmed(toUnconfirmed(accepted, null), seen.receivedAt()), reading);
        }
        PauseRequests.Decision decision = pauseRequests.decide(accepted.pendingRequest(), job, reading);
        return continuePrint(ActivePrint.of(job, reading, decision.pending()), accepted.pauseReport(), decision, seen);
    }

    private Transition<? extends AfterSeenPrint> onStatus(SeenPrint print, PrinterEvent.StatusRead seen) {
        Job job = print.job();
        PrinterStatus reading = seen.status();
        if (!seen.isShowing(job)) {
            return isRestarting(reading)
                    ? Transition.to(print)
                    : TransitionEffects.queryHistory(toPrintLost(print, seen.receivedAt()));
        }
        Ending ending = reading.ending();
        if (ending != null) {
            return JobEndTransitions.endAsShown(print, reading, ending);
        }
        PauseRequests.Decision decision = pauseRequests.decide(print.pendingRequest(), job, reading);
        return continuePrint(SeenPrint.of(job, reading, decision.pending()), print.pauseReport(), decision, seen);
    }

    /** Returns whether the status is from a restarted Moonraker that does not know yet what Klipper prints. */
    private static boolean isRestarting(PrinterStatus reading) {
        return reading.status() == Status.unknown;
    }

    private static <P extends ActivePrint> Transition<P> continuePrint(
            P next, PauseReport before, PauseRequests.Decision decision, PrinterEvent.StatusRead seen) {
        Transition<P> transition =
                TransitionEffects.reportPause(decision.addTo(Transition.to(next)), before, next, seen.status());
        return seen.afterGap() ? TransitionEffects.skipObjects(transition, next.job()) : transition;
    }

    private static Transition<? extends AfterCancelling> onStatus(Cancelling cancelling, PrinterEvent.StatusRead seen) {
        ActivePrint print = cancelling.print();
        Job job = print.job();
        PrinterStatus reading = seen.status();
        if (!seen.isShowing(job)) {
            return TransitionEffects.queryHistory(new CancellingUnconfirmed(
                    switch (print) {
                        case Accepted accepted -> toUnconfirmed(accepted, Absence.startingAt(seen.receivedAt()));
                        case SeenPrint shown -> toPrintLost(shown, seen.receivedAt());
                    }));
        }
        Ending ending = reading.ending();
        if (ending != null) {
            return switch (print) {
                case Accepted accepted ->
                    queryHistoryAtEnd(
                            new CancellingUnconfirmed(
                                    new EndUnconfirmed(toUnconfirmed(accepted, null), seen.receivedAt())),
                            reading);
                case SeenPrint _ -> JobEndTransitions.endAsShown(cancelling, reading, ending);
            };
        }
        ActivePrint next = switch (print) {
            case Accepted _ -> ActivePrint.of(job, reading, PendingRequest.NONE);
            case SeenPrint _ -> SeenPrint.of(job, reading, PendingRequest.NONE);
        };
        Transition<Cancelling> transition =
                TransitionEffects.reportPause(Transition.to(new Cancelling(next)), print.pauseReport(), next, reading);
        return seen.afterGap() ? transition.then(new Action.Cancel(job)) : transition;
    }

    /**
     * Returns a transition that queries the printer's history for the print whose end it shows, unless the printer
     * already prepares the next print.
     */
    private static <U extends UnconfirmedState> Transition<U> queryHistoryAtEnd(U next, PrinterStatus reading) {
        return reading.status().isBusy() ? Transition.to(next) : TransitionEffects.queryHistory(next);
    }

    private static BeginUnconfirmed toUnconfirmed(Accepted accepted, @Nullable Absence absence) {
        return new BeginUnconfirmed(accepted.job(), accepted.pauseReport(), accepted.pendingRequest(), absence);
    }

    private static PrintLost toPrintLost(SeenPrint print, Duration at) {
        return new PrintLost(print.job(), print.pauseReport(), print.pendingRequest(), Absence.startingAt(at));
    }
}
