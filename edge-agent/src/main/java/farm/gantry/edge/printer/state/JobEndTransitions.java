package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.state.JobState.Idle;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates the transitions that end a job, with the events that report its end. */
public final class JobEndTransitions {
    private JobEndTransitions() {}

    public static <N extends JobState> Transition<N> endJob(N next, Job job, Kind kind, @Nullable String message) {
        return endJob(Transition.to(next), job, kind, message);
    }

    static <N extends JobState> Transition<N> endJob(
            Transition<N> transition, Job job, Kind kind, @Nullable String message) {
        return transition.reach(job, JobStep.ended).report(kind, job, message);
    }

    /** Refuses a job, or its start, because the bed was used since the farm last saw it. */
    static Transition<NoJob> refuseForUsedBed(NoJob now, Job job, String use) {
        return endJob(Transition.to(now).report(Kind.printerChanged, use), job, Kind.jobRefused, use);
    }

    static Transition<NoJob> endUnprepared(NoJob before, Job job, PrinterEvent.PreparationFailed failure) {
        Kind kind = failure.cause() == Refusal.Cause.JOB ? Kind.jobFailed : Kind.jobRefused;
        return endJob(before, job, kind, failure.reason());
    }

    static Transition<NoJob> endRefusedStart(NoJob before, Job job, PrinterEvent.StartRefused refusal) {
        Kind kind = switch (refusal.cause()) {
            case PRINTER -> Kind.jobRefused;
            case ANSWER -> Kind.jobNotBegun;
            case JOB -> Kind.jobFailed;
        };
        return endJob(before, job, kind, refusal.reason());
    }

    /** Ends a print whose outcome is unknown. The report states that it is unknown what is on the bed. */
    static Transition<Idle> giveUp(StartedState print, PrinterStatus reading, String reason) {
        return endJob(
                Idle.atRest(reading), print.job(), print.isCancelling() ? Kind.jobCancelled : Kind.jobFailed, reason);
    }

    /** Ends the print with the ending that the printer's status shows. */
    static Transition<Idle> endAsShown(StartedState print, PrinterStatus reading, Ending ending) {
        return finishPrint(
                new Idle(print.job().fileName(), reading.printCounter()),
                print,
                ending,
                ending == Ending.COMPLETED ? null : reading.endReason());
    }

    /**
     * Ends the print with the ending in the printer's history. {@code lastFile} is the file that the printer shows
     * after the print.
     */
    static Transition<Idle> endAsRecorded(StartedState print, PrinterConnection.RecordedEnding end, String lastFile) {
        String message = switch (end.ending()) {
            case COMPLETED -> end.reason();
            case CANCELLED -> null;
            case FAILED -> Objects.requireNonNullElse(end.reason(), "the printer's history says that the print failed");
        };
        return finishPrint(new Idle(lastFile, null), print, end.ending(), message);
    }

    private static Transition<Idle> finishPrint(
            Idle next, StartedState print, Ending ending, @Nullable String message) {
        Job job = print.job();
        Transition<Idle> transition = Transition.to(next).reach(job, JobStep.ended);
        if (!print.isStartReported()) {
            transition = transition.report(Kind.jobStarted, job, null);
        }
        return switch (ending) {
            case COMPLETED -> transition.report(Kind.jobCompleted, job, message);
            case CANCELLED ->
                transition.report(Kind.jobCancelled, job, print.isCancelling() ? null : "cancelled at the printer");
            case FAILED ->
                transition.report(
                        Kind.jobFailed, job, message == null ? "the printer reports that the print failed" : message);
        };
    }
}
