package farm.gantry.edge.link;

import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Progress;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How soon the API should hear that a printer's state is no longer what it was told. */
enum ReportUrgency {
    /** Nothing changed that matters. */
    NONE,
    /** Time passed: the seconds of a print. */
    SOME_TIME,
    /** Temperatures and percent. */
    SOON,
    /** At which layer it is. */
    LAYER,
    /** What the printer does, to which job, whether it heats, and its faults. */
    NOW;

    private static final double DEAD_BAND = 1;

    static ReportUrgency of(PrinterState told, PrinterState is) {
        Progress toldJob = told.job();
        Progress isJob = is.job();
        boolean samePrinter = told.connection() == is.connection()
                && Objects.equals(told.connectionReason(), is.connectionReason())
                && told.status() == is.status()
                && told.filamentSlots().equals(is.filamentSlots())
                && told.errors().equals(is.errors())
                && told.temperatures().keySet().equals(is.temperatures().keySet())
                && heats(told) == heats(is);
        if (!samePrinter || !sameJob(toldJob, isJob)) {
            return NOW;
        }
        if (toldJob != null && isJob != null && !sameLayer(toldJob, isJob)) {
            return LAYER;
        }
        if (moved(told.temperatures(), is.temperatures()) || Math.abs(percent(toldJob) - percent(isJob)) >= DEAD_BAND) {
            return SOON;
        }
        return Objects.equals(toldJob, isJob) ? NONE : SOME_TIME;
    }

    private static boolean heats(PrinterState state) {
        return state.temperatures().values().stream().anyMatch(heater -> heater.target() > 0);
    }

    private static boolean sameJob(@Nullable Progress told, @Nullable Progress is) {
        if (told == null || is == null) {
            return told == null && is == null;
        }
        return Objects.equals(told.jobId(), is.jobId())
                && Objects.equals(told.attempt(), is.attempt())
                && Objects.equals(told.fileName(), is.fileName());
    }

    private static boolean sameLayer(Progress told, Progress is) {
        return Objects.equals(told.currentLayer(), is.currentLayer())
                && Objects.equals(told.totalLayers(), is.totalLayers());
    }

    private static double percent(@Nullable Progress job) {
        return job == null ? 0 : job.percent();
    }

    private static boolean moved(Map<String, Temperature> told, Map<String, Temperature> is) {
        for (Map.Entry<String, Temperature> heater : is.entrySet()) {
            if (moved(told.get(heater.getKey()), heater.getValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean moved(@Nullable Temperature told, Temperature is) {
        return told == null || told.target() != is.target() || Math.abs(told.actual() - is.actual()) >= DEAD_BAND;
    }
}
