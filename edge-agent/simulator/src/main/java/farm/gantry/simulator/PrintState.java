package farm.gantry.simulator;

import org.jspecify.annotations.Nullable;

/**
 * Klipper's print_stats: which file, in which state, for how long. Times are in seconds; {@code length} is how long the
 * print takes without heating.
 */
record PrintState(String state, @Nullable GcodeFile file, double length, double printed, double total, String message) {

    static PrintState none() {
        return new PrintState("standby", null, 0, 0, 0, "");
    }

    static PrintState of(GcodeFile file, double length) {
        return new PrintState("printing", file, length, 0, 0, "");
    }

    boolean isPrinting() {
        return state.equals("printing");
    }

    boolean isActive() {
        return isPrinting() || state.equals("paused");
    }

    PrintState withState(String next, String why) {
        return new PrintState(next, file, length, printed, total, why);
    }

    /** Printed to its end. */
    PrintState whole() {
        return new PrintState(state, file, length, length, total, message);
    }

    /** Heating counts into {@code total} only. */
    PrintState after(double seconds, boolean extruding) {
        return new PrintState(state, file, length, extruding ? printed + seconds : printed, total + seconds, message);
    }

    /** Empty without a file. */
    String fileName() {
        return file == null ? "" : file.name();
    }

    /** From 0 to 1. */
    double progress() {
        return file == null ? 0 : Math.min(1, printed / length);
    }

    int percent() {
        return (int) Math.floor(progress() * 100);
    }

    /** 0 before the first progress. */
    double remaining() {
        double progress = progress();
        return progress == 0 ? 0 : printed / progress - printed;
    }

    /** The current one, from 1; before the first, 0. */
    int layer() {
        double progress = progress();
        return progress == 0 ? 0 : (int) Math.min(layers(), 1 + Math.floor(progress * layers()));
    }

    int layers() {
        return file == null ? 0 : (int) file.number("layer_count", 20);
    }
}
