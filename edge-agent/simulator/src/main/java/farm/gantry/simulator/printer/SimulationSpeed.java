package farm.gantry.simulator.printer;

import org.jspecify.annotations.Nullable;

/** Speed of a simulated printer: {@code factor} times real time; {@code printSeconds} replaces the estimate of a file. */
public record SimulationSpeed(double factor, @Nullable Double printSeconds) {
    private static final double UNTOLD = 120;

    public double length(@Nullable Double estimated) {
        if (printSeconds != null) {
            return printSeconds;
        }
        return estimated == null ? UNTOLD : estimated;
    }
}
