package farm.gantry.schedule;

import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrintableArea;
import farm.gantry.printer.Printer;
import farm.gantry.printer.TemperatureLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a job's G-code is safe for a printer: it prints within the bed, sets no temperature above the printer's limits, and
 * extrudes. Unknown facts pass. With {@code allowsOverride}, a job whose tags name one printer or one model passes too.
 */
record ToolpathCheck(Requirement job, Printer printer, boolean allowsOverride) {
    /** The tolerance in mm, because printers prime and wipe the nozzle slightly outside of their profile's area. */
    private static final double SLACK_MM = 5;

    boolean isWithinArea() {
        Toolpath toolpath = job.toolpath();
        List<PrintableArea> areas = areas(printer);
        return toolpath == null
                || isOverridden()
                || areas.isEmpty()
                || areas.stream().anyMatch(area -> holds(area, toolpath));
    }

    /** Returns the printer's area; if its origin is unknown, the areas for both usual origins. */
    static List<PrintableArea> areas(Printer printer) {
        if (printer.printableArea() != null) {
            return List.of(printer.printableArea());
        }
        BedSize bed = printer.bedSize();
        return bed == null ? List.of() : List.of(bed.areaFromCorner(), bed.areaAroundCenter());
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
