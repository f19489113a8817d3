package farm.gantry.simulator;

import org.jspecify.annotations.Nullable;

/** How time passes for a simulated printer; {@code printSeconds} replaces what a file says of its length. */
public record SimulationSpeed(double speed, @Nullable Double printSeconds) {
    private static final double UNTOLD = 120;

    double length(@Nullable Double estimated) {
        if (printSeconds != null) {
            return printSeconds;
        }
        return estimated == null ? UNTOLD : estimated;
    }
}
