package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.StartedState.ActivePrint;
import farm.gantry.edge.printer.state.StartedState.Cancelling;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.wire.LinkRequest.Kind;

/** Creates the reports and actions that several transitions of a print share. */
final class TransitionEffects {
    private TransitionEffects() {}

    /** Returns a transition to this print that reports its begin and skips the objects that the job excludes. */
    static <P extends ActivePrint> Transition<P> reportBegun(P print) {
        return skipObjects(reportStarted(print, print.job()), print.job());
    }

    /** Returns a transition that reports the begin of this print and cancels it. */
    static Transition<Cancelling> reportBegunAndCancel(ActivePrint print) {
        return reportStarted(new Cancelling(print), print.job()).then(new Action.Cancel(print.job()));
    }

    private static <N extends JobState> Transition<N> reportStarted(N next, Job job) {
        return Transition.to(next).reach(job, JobStep.started).report(Kind.jobStarted, job, null);
    }

    static <N extends JobState> Transition<N> skipObjects(Transition<N> transition, Job job) {
        return job.skipObjects().isEmpty() ? transition : transition.then(new Action.SkipObjects(job));
    }

    /** Adds a report that the print was paused or resumed, unless that was already the last report, {@code before}. */
    static <N extends JobState> Transition<N> reportPause(
            Transition<N> transition, PauseReport before, ActivePrint print, PrinterStatus reading) {
        if (print.pauseReport() == before) {
            return transition;
        }
        Kind kind = print.pauseReport() == PauseReport.PAUSED ? Kind.jobPaused : Kind.jobResumed;
        return transition.report(kind, print.job(), reading.faultText());
    }

    /** Returns a transition to this state that queries the printer's history for the end of the print. */
    static <N extends StartedState> Transition<N> queryHistory(N next) {
        return Transition.to(next).then(new Action.QueryHistory(next.job()));
    }
}
