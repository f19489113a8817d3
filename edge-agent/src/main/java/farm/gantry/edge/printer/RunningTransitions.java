package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.JobState.Absence;
import farm.gantry.edge.printer.JobState.PauseReport;
import farm.gantry.edge.printer.JobState.PendingRequest;
import farm.gantry.edge.printer.NextState.AfterAccepted;
import farm.gantry.edge.printer.NextState.AfterCancelling;
import farm.gantry.edge.printer.NextState.AfterSeenPrint;
import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.edge.printer.StartedState.Accepted;
import farm.gantry.edge.printer.StartedState.ActivePrint;
import farm.gantry.edge.printer.StartedState.Cancelling;
import farm.gantry.edge.printer.StartedState.SeenPrint;
import farm.gantry.edge.printer.Transition.Action;
import farm.gantry.edge.printer.Unconfirmed.BeginUnconfirmed;
import farm.gantry.edge.printer.Unconfirmed.CancellingUnconfirmed;
import farm.gantry.edge.printer.Unconfirmed.EndUnconfirmed;
import farm.gantry.edge.printer.Unconfirmed.PrintLost;
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
            case PrinterEvent.StatusRead seen -> track(accepted, seen);
            case PrinterEvent.CancelRequested _ -> cancel(accepted);
            case PrinterEvent.PauseRequested _ -> Transition.to(accepted.request(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(accepted.request(PendingRequest.RESUME));
            default -> Transition.to(accepted);
        };
    }

    Transition<? extends AfterSeenPrint> next(SeenPrint print, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> track(print, seen);
            case PrinterEvent.CancelRequested _ -> cancel(print);
            case PrinterEvent.PauseRequested _ -> Transition.to(print.request(PendingRequest.PAUSE));
            case PrinterEvent.ResumeRequested _ -> Transition.to(print.request(PendingRequest.RESUME));
            default -> Transition.to(print);
        };
    }

    Transition<? extends AfterCancelling> next(Cancelling cancelling, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.StatusRead seen -> track(cancelling, seen);
            case PrinterEvent.CancelRequested _, PrinterEvent.CancelFailed _ -> cancel(cancelling.print());
            default -> Transition.to(cancelling);
        };
    }

    private static Transition<Cancelling> cancel(ActivePrint print) {
        return Transition.to(new Cancelling(print)).then(new Action.Cancel(print.job()));
    }

    private Transition<? extends AfterAccepted> track(Accepted accepted, PrinterEvent.StatusRead seen) {
        Job job = accepted.job();
        PrinterStatus reading = seen.reading();
        if (!seen.isShowing(job)) {
            return isRestarting(reading)
                    ? Transition.to(accepted)
                    : PrintEffects.queryHistory(unconfirmed(accepted, Absence.at(seen.at())));
        }
        if (reading.ending() != null) {
            return endShown(new EndUnconfirmed(unconfirmed(accepted, null), seen.at()), reading);
        }
        PauseRequests.Decision decision = pauseRequests.decide(accepted.request(), job, reading);
        return continued(ActivePrint.of(job, reading, decision.pending()), accepted.pauseReport(), decision, seen);
    }

    private Transition<? extends AfterSeenPrint> track(SeenPrint print, PrinterEvent.StatusRead seen) {
        Job job = print.job();
        PrinterStatus reading = seen.reading();
        if (!seen.isShowing(job)) {
            return isRestarting(reading) ? Transition.to(print) : PrintEffects.queryHistory(lost(print, seen.at()));
        }
        Ending ending = reading.ending();
        if (ending != null) {
            return JobEnd.shown(print, reading, ending);
        }
        PauseRequests.Decision decision = pauseRequests.decide(print.request(), job, reading);
        return continued(SeenPrint.of(job, reading, decision.pending()), print.pauseReport(), decision, seen);
    }

    /** Returns whether a restarted Moonraker does not know yet what Klipper prints. */
    private static boolean isRestarting(PrinterStatus reading) {
        return reading.status() == Status.unknown;
    }

    private static <P extends ActivePrint> Transition<P> continued(
            P next, PauseReport before, PauseRequests.Decision decision, PrinterEvent.StatusRead seen) {
        Transition<P> transition =
                PrintEffects.reportPause(decision.addTo(Transition.to(next)), before, next, seen.reading());
        return seen.afterGap() ? PrintEffects.skipObjects(transition, next.job()) : transition;
    }

    private static Transition<? extends AfterCancelling> track(Cancelling cancelling, PrinterEvent.StatusRead seen) {
        ActivePrint print = cancelling.print();
        Job job = print.job();
        PrinterStatus reading = seen.reading();
        if (!seen.isShowing(job)) {
            return PrintEffects.queryHistory(new CancellingUnconfirmed(
                    switch (print) {
                        case Accepted accepted -> unconfirmed(accepted, Absence.at(seen.at()));
                        case SeenPrint shown -> lost(shown, seen.at());
                    }));
        }
        Ending ending = reading.ending();
        if (ending != null) {
            return switch (print) {
                case Accepted accepted ->
                    endShown(
                            new CancellingUnconfirmed(new EndUnconfirmed(unconfirmed(accepted, null), seen.at())),
                            reading);
                case SeenPrint _ -> JobEnd.shown(cancelling, reading, ending);
            };
        }
        ActivePrint next = switch (print) {
            case Accepted _ -> ActivePrint.of(job, reading, PendingRequest.NONE);
            case SeenPrint _ -> SeenPrint.of(job, reading, PendingRequest.NONE);
        };
        Transition<Cancelling> transition =
                PrintEffects.reportPause(Transition.to(new Cancelling(next)), print.pauseReport(), next, reading);
        return seen.afterGap() ? transition.then(new Action.Cancel(job)) : transition;
    }

    /** Asks the printer's history whose end it shows, unless it already prepares the next print. */
    private static <U extends Unconfirmed> Transition<U> endShown(U next, PrinterStatus reading) {
        return reading.status().isBusy() ? Transition.to(next) : PrintEffects.queryHistory(next);
    }

    private static BeginUnconfirmed unconfirmed(Accepted accepted, @Nullable Absence absence) {
        return new BeginUnconfirmed(accepted.job(), accepted.pauseReport(), accepted.request(), absence);
    }

    private static PrintLost lost(SeenPrint print, Duration at) {
        return new PrintLost(print.job(), print.pauseReport(), print.request(), Absence.at(at));
    }
}
