package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.NextState.AfterCancellingStart;
import farm.gantry.edge.printer.state.NextState.AfterStarting;
import farm.gantry.edge.printer.state.StartedState.Accepted;
import farm.gantry.edge.printer.state.StartedState.ActivePrint;
import farm.gantry.edge.printer.state.StartedState.CancellingStart;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.StartUnconfirmed;
import farm.gantry.wire.LinkRequest.Kind;

/** The transitions of a printer to which a start was sent that is not answered yet. */
final class StartTransitions {
    private StartTransitions() {}

    static Transition<? extends AfterStarting> next(Starting starting, PrinterEvent event) {
        Job job = starting.job();
        NoJob before = starting.before();
        return switch (event) {
            case PrinterEvent.StartAccepted _ -> TransitionEffects.reportBegun(new Accepted(job, PendingRequest.NONE));
            case PrinterEvent.StartRefused refusal -> JobEndTransitions.endRefusedStart(before, job, refusal);
            case PrinterEvent.StartUnanswered _ ->
                Transition.to(toUnconfirmed(job, before)).then(new Action.QueryHistory(job));
            case PrinterEvent.CancelRequested _ -> Transition.to(new CancellingStart(job, before));
            case PrinterEvent.StatusRead seen
            when isRunning(seen, job) -> {
                ActivePrint print = ActivePrint.of(job, seen.status(), PendingRequest.NONE);
                yield TransitionEffects.reportPause(
                        TransitionEffects.reportBegun(print), PauseReport.RUNNING, print, seen.status());
            }
            default -> Transition.to(starting);
        };
    }

    static Transition<? extends AfterCancellingStart> next(CancellingStart starting, PrinterEvent event) {
        Job job = starting.job();
        NoJob before = starting.before();
        return switch (event) {
            case PrinterEvent.StartAccepted _ ->
                TransitionEffects.reportBegunAndCancel(new Accepted(job, PendingRequest.NONE));
            case PrinterEvent.StartRefused refusal ->
                JobEndTransitions.endJob(before, job, Kind.jobCancelled, refusal.reason());
            case PrinterEvent.StartUnanswered _ ->
                Transition.to(new CancellingUnconfirmed(toUnconfirmed(job, before)))
                        .then(new Action.QueryHistory(job));
            case PrinterEvent.StatusRead seen
            when isRunning(seen, job) -> {
                ActivePrint print = ActivePrint.of(job, seen.status(), PendingRequest.NONE);
                yield TransitionEffects.reportPause(
                        TransitionEffects.reportBegunAndCancel(print), PauseReport.RUNNING, print, seen.status());
            }
            default -> Transition.to(starting);
        };
    }

    private static boolean isRunning(PrinterEvent.StatusRead seen, Job job) {
        return seen.isShowing(job) && seen.status().ending() == null;
    }

    private static StartUnconfirmed toUnconfirmed(Job job, NoJob before) {
        return new StartUnconfirmed(job, before, PendingRequest.NONE, null);
    }
}
