package farm.gantry.schedule;

import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrintableArea;
import farm.gantry.printer.Printer;
import farm.gantry.printer.TemperatureLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job's finished G-code is safe for a printer: it prints on the bed, sets no temperature above the printer's limits, and is
 * a print. A job passes where a fact is not known, and, with {@code allowsOverride}, where its tags name one printer or one model.
 */
record ToolpathCheck(Requirement job, Printer printer, boolean allowsOverride) {
    /** Printers prime and wipe the nozzle a little beyond the area of their profile. */
    private static final double SLACK_MM = 5;

    boolean isWithinArea() {
        Toolpath toolpath = job.toolpath();
        List<PrintableArea> areas = areas(printer);
        return toolpath == null
                || isOverridden()
                || areas.isEmpty()
                || areas.stream().anyMatch(area -> holds(area, toolpath));
    }

    /** The printer's area; where its origin is not known, both that are usual. */
    static List<PrintableArea> areas(Printer printer) {
        if (printer.printableArea() != null) {
            return List.of(printer.printableArea());
        }
        BedSize bed = printer.bedSize();
        return bed == null ? List.of() : List.of(PrintableArea.fromCorner(bed), PrintableArea.aroundCenter(bed));
    }

    boolean isWithinTemperatures() {
        Toolpath toolpath = job.toolpath();
        return toolpath == null
                || isOverridden()
                || TemperatureLimits.of(printer).allow(toolpath.maxNozzleTemperature(), toolpath.maxBedTemperature());
    }

    boolean isPrint() {
        return job.toolpath() == null || isOverridden() || job.toolpath().isPrint();
    }

    boolean isOverridden() {
        return allowsOverride && ModelMatcher.namesOneMachine(job.tags());
    }

    private static boolean holds(PrintableArea area, Toolpath toolpath) {
        return isBetween(area.minX(), toolpath.minX(), toolpath.maxX(), area.maxX())
                && isBetween(area.minY(), toolpath.minY(), toolpath.maxY(), area.maxY());
    }

    private static boolean isBetween(double low, @Nullable Double min, @Nullable Double max, double high) {
        return min == null || max == null || (min >= low - SLACK_MM && max <= high + SLACK_MM);
    }
}
