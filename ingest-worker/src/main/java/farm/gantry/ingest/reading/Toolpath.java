package farm.gantry.ingest.reading;

import farm.gantry.printer.BedSize;
import org.jspecify.annotations.Nullable;

/**
 * What the moves of a plate's G-code come to. {@code printed} is where its objects stand on the bed: as far as the
 * nozzle goes while it prints them, their supports and prime towers, without start G-code, purge lines, skirts, brims
 * and rafts. {@code missing} says how the file is known to end early, and {@code doubt} why it might.
 */
public record Toolpath(
        Bounds printed, @Nullable String missing, @Nullable String doubt) {

    /** The room that the objects take; null where nothing is extruded. */
    public @Nullable BedSize size() {
        return printed.isEmpty()
                ? null
                : new BedSize(rounded(printed.width()), rounded(printed.depth()), rounded(printed.height()));
    }

    private static double rounded(double millimetres) {
        return Math.rint(millimetres * 1000) / 1000;
    }
}
