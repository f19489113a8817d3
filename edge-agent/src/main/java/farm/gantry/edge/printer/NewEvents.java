package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobFileName;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.Transition;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates the events about a printer for the API. */
record NewEvents(String deviceId) {
    NewEvent commandEvent(Kind kind, String commandId, @Nullable String message) {
        return new NewEvent(deviceId, kind, null, null, message, null, null, commandId, null);
    }

    /**
     * Returns the event for a report of a transition. {@code stopped} is the job that an emergency stop may have ended,
     * null without one.
     */
    NewEvent printerEvent(Transition.Report received, @Nullable PrinterStatus reading, @Nullable Job stopped) {
        Transition.Report report = failAfterEmergencyStop(received, stopped);
        PrinterStatus.File file = reading == null ? null : reading.file();
        boolean begun = report.kind() != Kind.jobStarted
                && report.kind() != Kind.jobRefused
                && report.kind() != Kind.jobNotBegun;
        JobFileName shown = file == null ? null : JobFileName.parse(file.name());
        boolean same = shown != null
                && shown.jobId().equals(report.jobId())
                && Objects.equals(shown.attempt(), report.attempt());
        PrinterStatus.@Nullable File printed = begun && same ? file : null;
        return new NewEvent(
                deviceId,
                report.kind(),
                report.jobId(),
                report.attempt(),
                report.message(),
                printed == null ? null : printed.elapsedSeconds(),
                printed == null ? null : printed.usedGrams(),
                null,
                printed == null ? null : printed.heatingSeconds());
    }

    /**
     * Reports the end of a job after an emergency stop as a failure, even if the printer reports a completed or
     * cancelled print.
     */
    private static Transition.Report failAfterEmergencyStop(Transition.Report report, @Nullable Job job) {
        boolean ended = report.kind() == Kind.jobFailed || report.kind() == Kind.jobCancelled;
        if (job == null
                || !ended
                || !job.jobId().equals(report.jobId())
                || !Objects.equals(job.attempt(), report.attempt())) {
            return report;
        }
        return new Transition.Report(Kind.jobFailed, report.jobId(), report.attempt(), "emergency stop");
    }

    /** Returns an event about a job that has not begun. */
    NewEvent jobEvent(Kind kind, String jobId, int attempt, String message) {
        return new NewEvent(deviceId, kind, jobId, attempt, message, null, null);
    }

    NewEvent printerEvent(Kind kind, @Nullable String message) {
        return new NewEvent(deviceId, kind, null, null, message, null, null);
    }

    /** Returns the events for changes between two statuses of the printer, such as a new fault. */
    List<NewEvent> statusEvents(@Nullable PrinterStatus before, PrinterStatus after) {
        List<NewEvent> newEvents = new ArrayList<>();
        if (before == null) {
            newEvents.add(printerEvent(Kind.printerOnline, null));
        }
        String fault = after.faultText();
        if (fault != null && (before == null || !fault.equals(before.faultText()))) {
            newEvents.add(printerEvent(Kind.printerError, fault));
        }
        after.warnings().stream()
                .filter(warning -> before == null || !before.warnings().contains(warning))
                .forEach(warning -> newEvents.add(printerEvent(Kind.printerWarning, warning.message())));
        return newEvents;
    }
}
