package farm.gantry.edge.link;

import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Progress;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How soon the API must receive a printer's changed state. */
enum ReportUrgency {
    /** No relevant change. */
    NONE,
    /** Only the elapsed and remaining time of a print changed. */
    ELAPSED_TIME,
    /** Temperatures or the progress in percent changed. */
    MEASUREMENTS,
    /** The layer changed. */
    LAYER,
    /** The printer's activity, its job, its faults, or whether it heats changed. */
    NOW;

    private static final double DEAD_BAND = 1;

    static ReportUrgency compare(PrinterState sent, PrinterState current) {
        Progress sentJob = sent.job();
        Progress currentJob = current.job();
        boolean samePrinter = sent.connection() == current.connection()
                && Objects.equals(sent.connectionReason(), current.connectionReason())
                && sent.status() == current.status()
                && sent.filamentSlots().equals(current.filamentSlots())
                && sent.errors().equals(current.errors())
                && sent.temperatures().keySet().equals(current.temperatures().keySet())
                && isHeating(sent) == isHeating(current);
        if (!samePrinter || !isSameJob(sentJob, currentJob)) {
            return NOW;
        }
        if (sentJob != null && currentJob != null && !isSameLayer(sentJob, currentJob)) {
            return LAYER;
        }
        if (hasChanged(sent.temperatures(), current.temperatures())
                || Math.abs(percent(sentJob) - percent(currentJob)) >= DEAD_BAND) {
            return MEASUREMENTS;
        }
        return Objects.equals(sentJob, currentJob) ? NONE : ELAPSED_TIME;
    }

    private static boolean isHeating(PrinterState state) {
        return state.temperatures().values().stream().anyMatch(heater -> heater.target() > 0);
    }

    private static boolean isSameJob(@Nullable Progress sent, @Nullable Progress current) {
        if (sent == null || current == null) {
            return sent == null && current == null;
        }
        return Objects.equals(sent.jobId(), current.jobId())
                && Objects.equals(sent.attempt(), current.attempt())
                && Objects.equals(sent.fileName(), current.fileName());
    }

    private static boolean isSameLayer(Progress sent, Progress current) {
        return Objects.equals(sent.currentLayer(), current.currentLayer())
                && Objects.equals(sent.totalLayers(), current.totalLayers());
    }

    private static double percent(@Nullable Progress job) {
        return job == null ? 0 : job.percent();
    }

    private static boolean hasChanged(Map<String, Temperature> sent, Map<String, Temperature> current) {
        for (Map.Entry<String, Temperature> heater : current.entrySet()) {
            if (hasChanged(sent.get(heater.getKey()), heater.getValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasChanged(@Nullable Temperature sent, Temperature current) {
        return sent == null
                || sent.target() != current.target()
                || Math.abs(sent.actual() - current.actual()) >= DEAD_BAND;
    }
}
