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

    private volatile @Nullable Measurement current;

    /**
     * The heating of a job. {@code started} is null if its start or a part of its heating was not observed; {@code
     * seconds} is null until the job prints.
     */
    private record Measurement(
            Job job, @Nullable TimePoint started, @Nullable Long seconds, double percent) {
        Measurement observe(PrinterStatus reading, TimePoint at) {
            if (reading.status() == Status.preparing && percent < BEGUN_PERCENT) {
                return new Measurement(job, started, null, percent);
            }
            if (reading.status() == Status.printing && started != null) {
                double shown = reading.file() == null ? 0 : reading.file().percent();
                Long heated = seconds == null ? (Long) at.elapsedSince(started).toSeconds() : seconds;
                return new Measurement(job, started, heated, Math.max(percent, shown));
            }
            return this;
        }

        Measurement withoutStart() {
            return new Measurement(job, null, seconds, percent);
        }
    }

    /** Returns the status with the heating time of the started job. */
    PrinterStatus withHeating(PrinterStatus reading, @Nullable Job startedJob, TimePoint at, boolean afterGap) {
        if (startedJob == null) {
            return reading;
        }
        Measurement measurement = current;
        if (measurement == null || !startedJob.equals(measurement.job())) {
            measurement = new Measurement(startedJob, afterGap ? null : at, null, 0);
        }
        boolean isShown = reading.isShowing(startedJob);
        if (isShown) {
            measurement = measurement.observe(reading, at);
        }
        Long seconds = measurement.seconds();
        if (seconds == null && (afterGap || reading.status() == Status.paused)) {
            measurement = measurement.withoutStart();
        }
        current = measurement;
        return seconds == null || !isShown ? reading : reading.withHeatingSeconds(seconds);
    }
}
