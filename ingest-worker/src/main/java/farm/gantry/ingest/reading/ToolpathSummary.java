package farm.gantry.ingest.reading;

import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import org.jspecify.annotations.Nullable;

/**
 * Summary of the moves of a plate's G-code. {@code printed} is where its objects stand on the bed: as far as the
 * nozzle goes while it prints them, their supports and prime towers, without start G-code, purge lines, skirts, brims
 * and rafts. The temperatures are the highest that are set, in °C, 0 where none is; {@code moves} is whether the nozzle moves
 * sideways at all. {@code missing} says how the file is truncated, and {@code doubt} why it might be.
 */
public record ToolpathSummary(
        Bounds printed,
        double maxNozzleTemperature,
        double maxBedTemperature,
        boolean moves,
        @Nullable String missing,
        @Nullable String doubt) {

    /** The size of the objects; null where nothing is extruded. */
    public @Nullable BedSize size() {
        return printed.isEmpty()
                ? null
                : new BedSize(rounded(printed.width()), rounded(printed.depth()), rounded(printed.height()));
    }

    public Toolpath toolpath() {
        boolean isEmpty = printed.isEmpty();
        return new Toolpath(
                isEmpty ? null : rounded(printed.minX()),
                isEmpty ? null : rounded(printed.minY()),
                isEmpty ? null : rounded(printed.maxX()),
                isEmpty ? null : rounded(printed.maxY()),
                maxNozzleTemperature > 0 ? maxNozzleTemperature : null,
                maxBedTemperature > 0 ? maxBedTemperature : null,
                !isEmpty || !moves);
    }

    private static double rounded(double millimetres) {
        return Math.rint(millimetres * 1000) / 1000;
    }
}
