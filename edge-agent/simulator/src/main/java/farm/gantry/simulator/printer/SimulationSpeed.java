package farm.gantry.simulator.printer;

import org.jspecify.annotations.Nullable;

/**
 * The speed of a simulated printer: {@code factor} simulated seconds pass in a second. {@code printSeconds} replaces
 * the estimated print time of every file, null without.
 */
public record SimulationSpeed(double factor, @Nullable Double printSeconds) {
    private static final double DEFAULT_SECONDS = 120;

    public double printDuration(@Nullable Double estimated) {
        if (printSeconds != null) {
            return printSeconds;
        }
        return estimated == null ? DEFAULT_SECONDS : estimated;
    }
}
