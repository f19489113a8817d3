package farm.gantry.simulator.printer;

import org.jspecify.annotations.Nullable;

/**
 * Klipper's print_stats: the file, its state and duration. Times are in seconds; {@code length} is how long the print
 * takes without heating.
 */
public record PrintState(
        String state, @Nullable GcodeFile file, double length, double printed, double total, String message) {

    public static PrintState none() {
        return new PrintState("standby", null, 0, 0, 0, "");
    }

    public static PrintState of(GcodeFile file, double length) {
        return new PrintState("printing", file, length, 0, 0, "");
    }

    public boolean isPrinting() {
        return state.equals("printing");
    }

    public boolean isActive() {
        return isPrinting() || state.equals("paused");
    }

    PrintState withState(String next, String why) {
        return new PrintState(next, file, length, printed, total, why);
    }

    /** Returns the completed print. */
    public PrintState completed() {
        return new PrintState(state, file, length, length, total, message);
    }

    /** Returns the print after this time; heating counts into {@code total} only. */
    public PrintState advance(double seconds, boolean extruding) {
        return new PrintState(state, file, length, extruding ? printed + seconds : printed, total + seconds, message);
    }

    /** Returns an empty name without a file. */
    public String fileName() {
        return file == null ? "" : file.name();
    }

    /** Returns the progress from 0 to 1. */
    public double progress() {
        return file == null ? 0 : Math.min(1, printed / length);
    }

    public int percent() {
        return (int) Math.floor(progress() * 100);
    }

    /** Returns the remaining seconds, 0 before the first progress. */
    public double remaining() {
        double progress = progress();
        return progress == 0 ? 0 : printed / progress - printed;
    }

    /** Returns the current layer from 1, 0 before the first. */
    public int layer() {
        double progress = progress();
        return progress == 0 ? 0 : (int) Math.min(layers(), 1 + Math.floor(progress * layers()));
    }

    public int layers() {
        return file == null ? 0 : (int) file.number("layer_count", 20);
    }
}
