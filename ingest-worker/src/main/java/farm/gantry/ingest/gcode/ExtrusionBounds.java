package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.Bounds;

/** Collects the bounds of the positions at which the nozzle extruded. */
final class ExtrusionBounds {
    private final double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    private final double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, 0};

    void add(double x, double y, double z) {
        low[0] = Math.min(low[0], x);
        low[1] = Math.min(low[1], y);
        high[0] = Math.max(high[0], x);
        high[1] = Math.max(high[1], y);
        high[2] = Math.max(high[2], z);
    }

    Bounds bounds() {
        return low[0] > high[0] ? Bounds.NOTHING : new Bounds(low[0], low[1], 0, high[0], high[1], high[2]);
    }
}
