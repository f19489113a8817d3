package farm.gantry.ingest.reading;

import farm.gantry.printer.BedSize;
import org.jspecify.annotations.Nullable;

/**
 * Summary of the moves of a plate's G-code. {@code printed} is where its objects stand on the bed: as far as the
 * nozzle goes while it prints them, their supports and prime towers, without start G-code, purge lines, skirts, brims
 * and rafts. {@code missing} says how the file is truncated, and {@code doubt} why it might be.
 */
public record ToolpathSummary(
        Bounds printed, @Nullable String missing, @Nullable String doubt) {

    /** The size of the objects; null where nothing is extruded. */
    public @Nullable BedSize size() {
        return printed.isEmpty()
                ? null
                : new BedSize(rounded(printed.width()), rounded(printed.depth()), rounded(printed.height()));
    }

    private static double rounded(double millimetres) {
        return Math.rint(millimetres * 1000) / 1000;
    }
}
