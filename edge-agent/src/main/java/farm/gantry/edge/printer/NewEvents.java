package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobFileName;
import farm.gantry.edge.journal.Journal.NewEvent;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the events of a printer that the API is told. */
record NewEvents(String deviceId) {
    NewEvent ofCommand(Kind kind, String commandId, @Nullable String message) {
        return new NewEvent(deviceId, kind, null, null, message, null, null, commandId);
    }

    /** What a transition reports of a printer with that status, during a job that an emergency stop may have ended. */
    NewEvent of(Transition.Report received, @Nullable Reading reading, @Nullable Job stopped) {
        Transition.Report report = stopped(received, stopped);
        Reading.File file = reading == null ? null : reading.file();
        boolean begun = report.kind() != Kind.jobStarted
                && report.kind() != Kind.jobRefused
                && report.kind() != Kind.jobNotBegun;
        JobFileName shown = file == null ? null : JobFileName.of(file.name());
        boolean same = shown != null
                && shown.jobId().equals(report.jobId())
                && Objects.equals(shown.attempt(), report.attempt());
        Reading.@Nullable File printed = begun && same ? file : null;
        return new NewEvent(
                deviceId,
                report.kind(),
                report.jobId(),
                report.attempt(),
                report.message(),
                printed == null ? null : printed.elapsedSeconds(),
                printed == null ? null : printed.usedGrams());
    }

    /** A job ended by an emergency stop is reported as failed, whatever the printer calls it. */
    private static Transition.Report stopped(Transition.Report report, @Nullable Job job) {
        boolean ended = report.kind() == Kind.jobFailed || report.kind() == Kind.jobCancelled;
        if (job == null
                || !ended
                || !job.jobId().equals(report.jobId())
                || !Objects.equals(job.attempt(), report.attempt())) {
            return report;
        }
        return new Transition.Report(Kind.jobFailed, report.jobId(), report.attempt(), "emergency stop");
    }

    /** What became of a job before it began. */
    NewEvent ofJob(Kind kind, String jobId, int attempt, String message) {
        return new NewEvent(deviceId, kind, jobId, attempt, message, null, null);
    }

    NewEvent of(Kind kind, @Nullable String message) {
        return new NewEvent(deviceId, kind, null, null, message, null, null);
    }

    /** What a status shows of the printer itself that the one before did not. */
    List<NewEvent> ofStatus(@Nullable Reading before, Reading after) {
        List<NewEvent> newEvents = new ArrayList<>();
        if (before == null) {
            newEvents.add(of(Kind.printerOnline, null));
        }
        String fault = after.fault();
        if (fault != null && (before == null || !fault.equals(before.fault()))) {
            newEvents.add(of(Kind.printerError, fault));
        }
        after.warnings().stream()
                .filter(warning -> before == null || !before.warnings().contains(warning))
                .forEach(warning -> newEvents.add(of(Kind.printerWarning, warning.message())));
        return newEvents;
    }
}
