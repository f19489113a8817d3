package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.printer.PrinterState.Status;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a printer heats, homes and levels after a start command before it prints. The time stays unknown if
 * the printer could not be seen or was paused meanwhile, or if the agent was started after the print.
 */
final class HeatingTime {
    /** The progress below which a printer that prepares again still heats: some home with cold heaters first. */
    private static final double BEGUN_PERCENT = 1;

    private @Nullable Job job;
    private @Nullable TimePoint started;
    private @Nullable Long seconds;
    private double percent;

    /** Returns the status with the heating time of the started job. */
    PrinterStatus withHeating(PrinterStatus reading, @Nullable Job startedJob, TimePoint at, boolean afterGap) {
        if (startedJob == null) {
            return reading;
        }
        if (!startedJob.equals(job)) {
            job = startedJob;
            started = afterGap ? null : at;
            seconds = null;
            percent = 0;
        }
        if (reading.isShowing(startedJob)) {
            observe(reading, at);
        }
        if (seconds == null && (afterGap || reading.status() == Status.paused)) {
            started = null;
        }
        return seconds == null || !reading.isShowing(startedJob) ? reading : reading.withHeatingSeconds(seconds);
    }

    private void observe(PrinterStatus reading, TimePoint at) {
        TimePoint since = started;
        if (reading.status() == Status.preparing && percent < BEGUN_PERCENT) {
            seconds = null;
        } else if (reading.status() == Status.printing && since != null) {
            percent = Math.max(
                    percent, reading.file() == null ? 0 : reading.file().percent());
            seconds = seconds == null ? (Long) at.elapsedSince(since).toSeconds() : seconds;
        }
    }
}
