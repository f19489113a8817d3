package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobFileName;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A printer's last status and job; without a status it is offline, for the {@code reason}. */
record PrinterView(@Nullable PrinterStatus reading, String reason, JobState jobState) {

    private static final String UNREACHED = "not reached yet";

    static PrinterView unreached(JobState jobState) {
        return new PrinterView(null, UNREACHED, jobState);
    }

    /** Returns whether going offline is a change that must be reported. */
    boolean isReportedWhenLost() {
        return !isLost();
    }

    /** Returns whether its going offline was reported. */
    boolean isLost() {
        return reading == null && !isUnreached();
    }

    private boolean isUnreached() {
        return reason.equals(UNREACHED);
    }

    PrinterView with(PrinterStatus seen) {
        return new PrinterView(seen, "", jobState);
    }

    PrinterView lost(String why) {
        return new PrinterView(null, why, jobState);
    }

    PrinterView in(JobState next) {
        return new PrinterView(reading, reason, next);
    }

    /**
     * Returns why no print can be accepted now, null if one can. A printer that was not reached yet is checked before
     * the start.
     */
    @Nullable
    String objection() {
        if (isUnreached()) {
            return null;
        }
        return reading == null ? "the printer is offline: " + reason : reading.objection();
    }

    /** Returns why the command must not run now, null if it may: it would move the head during a print. */
    @Nullable
    String objection(Command.Send command) {
        Status unshown = startedJob() == null ? Status.idle : Status.printing;
        Status status =
                reading != null && reading.status().isBusy() && reading.file() != null ? reading.status() : unshown;
        return command.disturbsPrint(status) ? "the printer is busy with a print" : null;
    }

    boolean isShowing(Job job) {
        return reading != null && reading.isShowing(job);
    }

    /** Returns the job whose start was sent, null without one. */
    @Nullable
    Job startedJob() {
        return jobState instanceof StartedState print ? print.job() : null;
    }

    PrinterState state(Instant at) {
        if (reading == null) {
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
                reading.status(),
                isOver(reading) ? null : progress(reading.file()),
                reading.temperatures(),
                reading.filamentSlots(),
                errors(reading),
                reading.printCounter(),
                at);
    }

    /**
     * Returns whether the printer already does something other than the print whose end it shows, such as levelling or
     * homing.
     */
    private static boolean isOver(PrinterStatus reading) {
        return reading.status().isBusy() && reading.ending() != null;
    }

    private static List<PrinterState.Fault> errors(PrinterStatus reading) {
        return reading.message() == null
                ? reading.errors()
                : Stream.concat(reading.errors().stream(), Stream.of(new PrinterState.Fault(null, reading.message())))
                        .toList();
    }

    private PrinterState.@Nullable Progress progress(PrinterStatus.@Nullable File file) {
        if (file == null) {
            return null;
        }
        JobFileName job = ours(file.name());
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

    /** Returns the job to which a file of the farm belongs; none if the file is printed again by hand. */
    private @Nullable JobFileName ours(String fileName) {
        return jobState instanceof JobState.ForeignPrint ? null : JobFileName.of(fileName);
    }
}
