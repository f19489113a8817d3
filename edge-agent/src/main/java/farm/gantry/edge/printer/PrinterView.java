package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobFileName;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.StartedState;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A printer's last status and the state of its job. {@code status} is null while the printer is offline, and {@code
 * reason} says why.
 */
record PrinterView(@Nullable PrinterStatus status, String reason, JobState jobState) {

    private static final String UNREACHED = "not reached yet";

    static PrinterView notYetReached(JobState jobState) {
        return new PrinterView(null, UNREACHED, jobState);
    }

    /** Returns whether a disconnect of the printer must be reported as a change. */
    boolean isReportedWhenLost() {
        return !isReportedOffline();
    }

    /** Returns whether the printer is offline and this was reported. */
    boolean isReportedOffline() {
        return status == null && !isNotYetReached();
    }

    private boolean isNotYetReached() {
        return reason.equals(UNREACHED);
    }

    PrinterView withStatus(PrinterStatus seen) {
        return new PrinterView(seen, "", jobState);
    }

    PrinterView withDisconnect(String why) {
        return new PrinterView(null, why, jobState);
    }

    PrinterView withJobState(JobState next) {
        return new PrinterView(status, reason, next);
    }

    /**
     * Returns the reason why no print can be accepted now, null if one can. A printer that was not reached yet accepts
     * prints, because it is checked right before the start.
     */
    @Nullable
    String printObjection() {
        if (isNotYetReached()) {
            return null;
        }
        return status == null ? "the printer is offline: " + reason : status.startObjection();
    }

    /**
     * Returns the reason why the command must not run now, such as that it would move the head during a print; null if
     * it may run.
     */
    @Nullable
    String commandObjection(Command.Send command) {
        Status unshown = startedJob() == null ? Status.idle : Status.printing;
        Status activity =
                status != null && status.status().isBusy() && status.file() != null ? status.status() : unshown;
        return command.disturbsPrint(activity) ? "the printer is busy with a print" : null;
    }

    boolean isShowing(Job job) {
        return status != null && status.isShowing(job);
    }

    /** Returns the job whose start was sent, null without one. */
    @Nullable
    Job startedJob() {
        return jobState instanceof StartedState print ? print.job() : null;
    }

    PrinterState toPrinterState(Instant at) {
        if (status == null) {
            return new PrinterState(
                    PrinterState.Connection.offline,
                    reason,
                    PrinterState.Status.offline,
                    null,
                    Map.of(),
                    List.of(),
                    List.of(),
                    null,
                    at);
        }
        return new PrinterState(
                PrinterState.Connection.online,
                null,
                status.status(),
                isBusyAfterEnd(status) ? null : toProgress(status.file()),
                status.temperatures(),
                status.filamentSlots(),
                toFaults(status),
                status.printCounter(),
                at);
    }

    /**
     * Returns whether the printer shows the end of a print but is already busy with something else, such as levelling
     * or homing.
     */
    private static boolean isBusyAfterEnd(PrinterStatus reading) {
        return reading.status().isBusy() && reading.ending() != null;
    }

    private static List<PrinterState.Fault> toFaults(PrinterStatus reading) {
        return reading.message() == null
                ? reading.errors()
                : Stream.concat(reading.errors().stream(), Stream.of(new PrinterState.Fault(null, reading.message())))
                        .toList();
    }

    private PrinterState.@Nullable Progress toProgress(PrinterStatus.@Nullable File file) {
        if (file == null) {
            return null;
        }
        JobFileName job = findFarmJob(file.name());
        return new PrinterState.Progress(
                job == null ? null : job.jobId(),
                job == null ? null : (Integer) job.attempt(),
                file.name(),
                file.percent(),
                file.currentLayer(),
                file.totalLayers(),
                file.elapsedSeconds(),
                file.remainingSeconds(),
                file.heatingSeconds());
    }

    /** Returns the job of a file that the farm uploaded; null if a person prints the file again at the printer. */
    private @Nullable JobFileName findFarmJob(String fileName) {
        return jobState instanceof JobState.ForeignPrint ? null : JobFileName.parse(fileName);
    }
}
