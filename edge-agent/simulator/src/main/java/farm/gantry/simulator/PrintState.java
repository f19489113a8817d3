package farm.gantry.simulator;

import org.jspecify.annotations.Nullable;

/** Klipper's print_stats: which file, in which state, for how long. */
record PrintState(String state, @Nullable GcodeFile file, double printed, double total, String message) {

    static PrintState none() {
        return new PrintState("standby", null, 0, 0, "");
    }

    static PrintState of(GcodeFile file) {
        return new PrintState("printing", file, 0, 0, "");
    }

    boolean isPrinting() {
        return state.equals("printing");
    }

    boolean isActive() {
        return isPrinting() || state.equals("paused");
    }

    PrintState become(String next, String why) {
        return new PrintState(next, file, printed, total, why);
    }

    /** Heating counts into the total alone. */
    PrintState after(double seconds, boolean extruding) {
        return new PrintState(state, file, extruding ? printed + seconds : printed, total + seconds, message);
    }

    double progress(SimulationSpeed pace) {
        if (file == null) {
            return 0;
        }
        return Math.min(1, printed / pace.length(file.number("estimated_time")));
    }

    /** The one it is on, from 1; before the first, 0. */
    int layer(SimulationSpeed pace) {
        double progress = progress(pace);
        return progress == 0 ? 0 : (int) Math.min(layers(), 1 + Math.floor(progress * layers()));
    }

    int layers() {
        return file == null ? 0 : (int) file.number("layer_count", 20);
    }
}
