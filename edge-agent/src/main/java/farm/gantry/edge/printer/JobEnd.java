package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.JobState.Idle;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The ends of a job. */
final class JobEnd {
    private JobEnd() {}

    static <N extends JobState> Transition<N> of(N next, Job job, Kind kind, @Nullable String message) {
        return of(Transition.to(next), job, kind, message);
    }

    static <N extends JobState> Transition<N> of(
            Transition<N> transition, Job job, Kind kind, @Nullable String message) {
        return transition.reach(job, JobStep.ended).report(kind, job, message);
    }

    /** Refuses a job, or its start, because the bed was used since the farm last saw it. */
    static Transition<NoJob> bedUsed(NoJob now, Job job, String use) {
        return of(Transition.to(now).report(Kind.printerChanged, use), job, Kind.jobRefused, use);
    }

    static Transition<NoJob> notPrepared(NoJob before, Job job, PrinterEvent.PreparationFailed failure) {
        Kind kind = failure.cause() == Refusal.Cause.JOB ? Kind.jobFailed : Kind.jobRefused;
        return of(before, job, kind, failure.reason());
    }

    static Transition<NoJob> startRefused(NoJob before, Job job, PrinterEvent.StartRefused refusal) {
        Kind kind = switch (refusal.cause()) {
            case PRINTER -> Kind.jobRefused;
            case ANSWER -> Kind.jobNotBegun;
            case JOB -> Kind.jobFailed;
        };
        return of(before, job, kind, refusal.reason());
    }

    /** Gives up the print; nobody knows what is on the bed. */
    static Transition<Idle> givenUp(StartedState print, PrinterStatus reading, String reason) {
        return of(Idle.after(reading), print.job(), print.isCancelling() ? Kind.jobCancelled : Kind.jobFailed, reason);
    }

    /** Ends the print as the printer shows. */
    static Transition<Idle> shown(StartedState print, PrinterStatus reading, Ending ending) {
        return finished(
                new Idle(print.job().fileName(), reading.printCounter()),
                print,
                ending,
                ending == Ending.COMPLETED ? null : reading.reason());
    }

    /**
     * Ends the print as the printer's history says. {@code lastFile} is the file that the printer shows after the
     * print.
     */
    static Transition<Idle> remembered(StartedState print, Connection.Remembered end, String lastFile) {
        String message = switch (end.ending()) {
            case COMPLETED -> end.reason();
            case CANCELLED -> null;
            case FAILED -> Objects.requireNonNullElse(end.reason(), "the printer's history says that the print failed");
        };
        return finished(new Idle(lastFile, null), print, end.ending(), message);
    }

    private static Transition<Idle> finished(Idle next, StartedState print, Ending ending, @Nullable String message) {
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
