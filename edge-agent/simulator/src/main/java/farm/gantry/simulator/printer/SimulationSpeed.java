package farm.gantry.simulator.printer;

import org.jspecify.annotations.Nullable;

/** Speed of a simulated printer: {@code factor} times real time; {@code printSeconds} replaces the estimate of a file. */
public record SimulationSpeed(double factor, @Nullable Double printSeconds) {
    private static final double DEFAULT_SECONDS = 120;

    public double printDuration(@Nullable Double estimated) {
        if (printSeconds != null) {
            return printSeconds;
        }
        return estimated == null ? DEFAULT_SECONDS : estimated;
    }
}
